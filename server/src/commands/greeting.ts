// In charge of the text that the service prints at its start: its address, and how to sign in. Pure functions.
import type { Config } from '../platform/config.ts'

/**
 * Values that are known only after the start. `token` is the owner's token and `link` the owner's sign-in link; if `isShown` is
 * false, these secrets must not be printed, and `token` and `link` are the paths of the files that contain them. `memberships` is a
 * message about the organization at the identity provider. Nothing is printed for a member that is null.
 */
type Told = Record<'token' | 'link' | 'memberships', string | null> & { url: string; isShown: boolean }

type Known = Pick<Config, 'databaseUrl' | 'dataDir' | 'embeddedCommits' | 'ownerToken'>

export function greeting(config: Known, told: Told): string {
  const { url, memberships } = told
  const where = config.databaseUrl
    ? 'PostgreSQL, as DATABASE_URL says'
    : `embedded, in ${config.dataDir} (survives a killed process${config.embeddedCommits === 'durable' ? ' and' : ', not'} a power cut: docs/operating.md)`
  const bearer = told.token === null ? '<token>' : told.isShown ? told.token : `$(cat ${quoted(told.token)})`
  const lines = [
    ...wayIn(told),
    ...access(config, told),
    `  The API     ${url}/docs`,
    // Without `-g`, curl takes the brackets of an IPv6 address for a pattern.
    `  Try it      curl ${url.includes('[') ? '-g ' : ''}-H "Authorization: Bearer ${bearer}" "${url}/api/v1/tasks/board?limit=3"`,
    `  Database    ${where}`,
    ...(memberships === null ? [] : [`  Provider    ${memberships}`]),
  ]
  return ['', `Atelier is ready:  ${url}`, '', ...lines, ''].join('\n')
}

/** Quotes a path for a shell, if it has characters that a shell would not take as they are. */
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

function wayIn({ url, link, isShown }: Told): string[] {
  if (link === null) return [`  Sign in     ${url}/sign-in`]
  return [
    isShown ? `  Sign in     ${link}` : `  Sign in     by the link in the file ${link}`,
    '              (once, within 15 minutes; `npm run sign-in` prints another)',
  ]
}

function access({ ownerToken }: Known, { token, isShown }: Told): string[] {
  if (token === null) {
    return ownerToken
      ? ['  Your token  is the one in ATELIER_OWNER_TOKEN']
      : ['  Your token  was shown at the first start; `npm run token -- --help` issues another']
  }
  if (isShown) return [`  Your token  ${token}`, '              (the owner’s, shown this once: only its hash is kept)']
  return [
    `  Your token  is in the file ${token}`,
    '              (the owner’s; delete the file once you have it: only the token’s hash is kept elsewhere)',
  ]
}
