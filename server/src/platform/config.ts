// In charge of reading the settings from the environment; all errors are reported together, and no error repeats a secret.
import { OperatorError, wordsOf } from './operator-error.ts'
import { isOfNobody, providerNames, withoutAddress } from './provider-names.ts'
import { type Config, type Setting, settings } from './settings.ts'
import { readSigner } from './signing-files.ts'

export type { Config } from './settings.ts'

/** Lists every wrong setting. If this error is thrown at start, the process prints it and exits with status 78 (EX_CONFIG). */
export class ConfigError extends OperatorError {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Names that clients of the API take from their environment, as our examples do. They are no settings of ours, and a shell that has
 * them can start the service too.
 */
const namesOfClients = ['ATELIER_URL', 'ATELIER_TOKEN']

/**
 * Whether a process serves requests. Others, such as workers and a backup in a container of its own, may have its settings and not
 * its files to sign with; nor do they listen on its port.
 */
type Use = 'service' | 'other'

/** Reads the settings; throws a `ConfigError` that lists all errors. */
export function readConfig(environment: Record<string, string | undefined>, use: Use = 'other'): Config {
  const problems: string[] = []
  const read = <T>({ name, fallback, parse }: Setting<T>): T | undefined => {
    try {
      return parse(environment[name] || fallback)
    } catch (error) {
      problems.push(`${name} ${wordsOf(error)}`)
      return undefined
    }
  }
  const known = new Set([...Object.values(settings).map(({ name }) => name), ...namesOfClients])
  for (const name of Object.keys(environment)) {
    if (name.startsWith('ATELIER_') && !name.startsWith('ATELIER_TEST_') && !known.has(name)) {
      problems.push(`${name} is not a setting; docs/configuration.md lists them`)
    }
  }
  // Each member was parsed by the setting with the same key; it is undefined if an error was thrown.
  const values = Object.fromEntries(
    Object.entries(settings).map(([key, setting]) => [key, read<unknown>(setting)]),
  ) as Partial<Config>
  problems.push(...together(values), ...ofModels(values), ...(use === 'service' ? ofServices(values) : []))
  if (problems.length > 0) throw new ConfigError(problems)
  return values as Config
}

/** What is wrong with settings that belong together. */
function together(values: Partial<Config>): string[] {
  const problems: string[] = []
  if (values.oauthIssuer && !values.oauthAudience && !values.publicUrl) {
    problems.push(
      'ATELIER_OAUTH_ISSUER needs ATELIER_OAUTH_AUDIENCE or PUBLIC_URL: who access tokens must be meant for',
    )
  }
  if (values.oauthClientId && !(values.oauthIssuer && values.publicUrl)) {
    problems.push(
      'ATELIER_OAUTH_CLIENT_ID needs ATELIER_OAUTH_ISSUER, and PUBLIC_URL: where the issuer sends people back to',
    )
  }
  if (values.oauthClientSecret && !values.oauthClientId) {
    problems.push('ATELIER_OAUTH_CLIENT_SECRET needs ATELIER_OAUTH_CLIENT_ID: whose secret it is')
  }
  if (Boolean(values.signingCertificate) !== Boolean(values.signingKey)) {
    problems.push('ATELIER_C2PA_CERT and ATELIER_C2PA_KEY belong together: set both, or neither')
  }
  if (values.smtp && !(values.mailFrom && values.publicUrl)) {
    problems.push('ATELIER_SMTP_URL needs ATELIER_MAIL_FROM, and PUBLIC_URL: where the links in mail lead')
  }
  return problems
}

/** What is wrong with settings about models that their own parsers cannot see, because it takes two of them. */
function ofModels({
  providerKeys,
  providerUrls,
  models,
  openaiBaseUrl,
  chatModel,
  imageModel,
}: Partial<Config>): string[] {
  const lost = withoutAddress.filter((name) => providerKeys?.has(name) && providerUrls && !providerUrls.has(name))
  const listed = models?.list.map(({ id }) => id)
  const named = [
    ['ATELIER_CHAT_MODEL', chatModel],
    ['ATELIER_IMAGE_MODEL', imageModel],
  ] as const
  const nobodys = named.filter(
    ([, name]) => name !== undefined && listed && isOfNobody(name, openaiBaseUrl !== null, listed),
  )
  return [
    ...lost.map((name) => `ATELIER_PROVIDER_URLS must say where ${name} is, as ${name}=https://…`),
    ...nobodys.map(
      ([setting, name]) =>
        `${setting} names a model of “${name?.split(':')[0]}”, which is no provider; there are ${providerNames.join(', ')}`,
    ),
  ]
}

/** What is wrong for a process that serves requests: ports that meet, and files to sign with that cannot be used. */
function ofServices(values: Partial<Config>): string[] {
  const { host, port, metricsHost, metricsPort, signs, signingCertificate, signingKey } = values
  const problems: string[] = []
  if (port && port === metricsPort && meet(host ?? '', metricsHost ?? '')) {
    problems.push(`PORT and ATELIER_METRICS_PORT are both ${port}: each needs a port of its own`)
  }
  if (signs && signingCertificate && signingKey) {
    const read = readSigner(signingCertificate, signingKey)
    if ('problems' in read) problems.push(...read.problems)
  }
  return problems
}

/** Whether two addresses to listen on share an address. */
function meet(one: string, other: string): boolean {
  const [first, second] = [one, other].map((host) => (host === 'localhost' ? '127.0.0.1' : host))
  const hasAll = (host: string | undefined, beside = ''): boolean =>
    host === '::' || (host === '0.0.0.0' && (beside === '::' || !beside.includes(':')))
  return first === second || hasAll(first, second) || hasAll(second, first)
}
