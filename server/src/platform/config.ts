// In charge of reading the settings from the environment; all errors are reported together, and no error repeats a secret.
import { OperatorError, wordsOf } from './operator-error.ts'
import { type Config, type Setting, settings } from './settings.ts'

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

/** Reads the settings; throws a `ConfigError` that lists all errors. */
export function readConfig(environment: Record<string, string | undefined>): Config {
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
  const values = Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, read<unknown>(setting)]))
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
  if (problems.length > 0) throw new ConfigError(problems)
  return values as Config // each member was parsed by the setting with the same key, or an error was thrown
}
