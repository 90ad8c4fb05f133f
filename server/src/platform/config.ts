// In charge of the settings: read from the environment, every error told at once, secrets never echoed.
import { isIP } from 'node:net'
import type { LabelRule } from '@atelier/contract/label-rules.ts'
import { defaultNameTemplate, type NameTemplate, parseNameTemplate } from '@atelier/contract/names.ts'
import type { Vocabularies } from '@atelier/contract/vocabulary.ts'
import { labelRules, vocabulary } from './config-files.ts'
import { OperatorError } from './operator-error.ts'
import { defaultRoleMap, parseRoleMap, type RoleMap } from './role-map.ts'

/** A duration: as the schema operation serves it, and in seconds. */
export type Duration = { iso: string; seconds: number }

export type Config = {
  host: string
  port: number
  publicUrl: string | null
  databaseUrl: string | null
  databaseConnections: number
  dataDir: string
  ownerToken: string | null
  webhookSecrets: string[]
  organization: string | null
  roles: RoleMap
  oauthIssuer: string | null
  oauthAudience: string | null
  oauthClientId: string | null
  oauthClientSecret: string | null
  signInLinks: string
  retention: Duration
  runsKept: Duration | null
  runHistoryKept: Duration | null
  automationRunTimeout: Duration
  vocabulary: Vocabularies
  nameTemplate: NameTemplate
  nameTemplateText: string
  rateLimit: number
  addressRateLimit: number
  bodyLimit: number
  /** Null: `files` in the data folder. */
  files: string | null
  fileLimit: number
  trustedProxies: string[]
  /** Whether this process works on runs besides answering requests. */
  work: boolean
  workerRuns: number
  workerCalls: number
  /** Bytes. */
  runLimit: number
  cacheLimit: number
  openaiBaseUrl: string | null
  openaiApiKey: string | null
  chatModel: string
  imageModel: string
  signs: boolean
  signingCertificate: string | null
  signingKey: string | null
  labelRules: readonly LabelRule[]
  allowedHosts: string[]
  logLevel: string
  demo: boolean
}

type Setting<T> = { name: string; fallback: string; means: string; parse: (text: string) => T }

/** Thrown with every wrong setting; a start prints it and ends with status 78 (EX_CONFIG). */
export class ConfigError extends OperatorError {
  readonly problems: string[]
  constructor(problems: string[]) {
    super(`The settings are not right:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

const refuse = (why: string): never => {
  throw new Error(why)
}
const whole = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= min && value <= max
    ? value
    : refuse(`must be a whole number from ${min} to ${max}`)
}
const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? text : refuse(`must be one of ${values.join(', ')}`)
const yes = (text: string) => oneOf('true', 'false')(text) === 'true'
const optional =
  <T>(parse: (text: string) => T) =>
  (text: string) =>
    text === '' ? null : parse(text)
const url =
  (...protocols: string[]) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol)
      ? text
      : refuse(`must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`)
const baseUrl = (text: string) => url('http:', 'https:')(text).replace(/\/+$/, '')
const ownerToken = (text: string) =>
  /^[\x21-\x7e]{32,200}$/.test(text) ? text : refuse('must be 32 to 200 visible ASCII characters')

const headerText = (text: string) =>
  /^[\x21-\x7e]{1,1000}$/.test(text) ? text : refuse('must be visible ASCII characters without blanks')

function hosts(text: string): string[] {
  const listed = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = listed.filter((part) => !/^[a-z0-9._-]+(?::\d{1,5})?$/i.test(part) && isIP(part) === 0)
  return wrong.length === 0 ? listed : refuse(`must list hosts such as models or models:8080, not ${wrong.join(', ')}`)
}

/** Standard Webhooks secrets: base64 of 24 to 64 bytes, with or without `whsec_`; several while one replaces another. */
function webhookSecrets(text: string): string[] {
  const listed = text.split(/[\s,]+/).filter((part) => part !== '')
  const bytes = listed.map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length)
  return bytes.every((length) => length >= 24 && length <= 64)
    ? listed
    : refuse('must list base64 secrets of 24 to 64 bytes, with or without whsec_, comma-separated')
}

/** Addresses, ranges such as `10.0.0.0/8`, and the names Fastify has for the usual ranges. */
function proxies(text: string): string[] {
  const listed = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = listed.filter((part) => !isProxy(part))
  return wrong.length === 0
    ? listed
    : refuse(`must list addresses, ranges or loopback, linklocal, uniquelocal, not ${wrong.join(', ')}`)
}

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0) return ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  return (
    more.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)))
  )
}

function folder(text: string): string {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return text
  return refuse('must be the path of a folder; object storage (s3://…) comes later')
}

/** An ISO 8601 duration of weeks, days and time; months and years have no fixed length. */
export function parseDuration(text: string): Duration {
  const match = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text)
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = (match?.slice(1) ?? []).map((part) =>
    Number(part ?? 0),
  )
  const total = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  if (!match || total === 0 || total > 100 * 366 * 86_400) {
    return refuse('must be an ISO 8601 duration such as P30D or PT15M, of at most 100 years')
  }
  return { iso: text, seconds: total }
}

function nameTemplate(text: string): NameTemplate {
  const parsed = parseNameTemplate(text)
  return 'errors' in parsed ? refuse(parsed.errors.join('; ')) : parsed.template
}

const setting = <T>(name: string, fallback: string, means: string, parse: (text: string) => T): Setting<T> => ({
  name,
  fallback,
  means,
  parse,
})

/** Every setting there is; `docs/configuration.md` lists the same, and a test compares the two. */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', String),
  port: setting('PORT', '3000', 'Port to listen on; 0 takes a free one.', whole(0, 65_535)),
  publicUrl: setting('PUBLIC_URL', '', 'Where browsers and integrations reach the service.', optional(baseUrl)),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'A PostgreSQL server; absent: the embedded database.',
    optional(url('postgres:', 'postgresql:')),
  ),
  databaseConnections: setting(
    'ATELIER_DATABASE_CONNECTIONS',
    '10',
    'Connections of this process to PostgreSQL.',
    whole(2, 1000),
  ),
  dataDir: setting('ATELIER_DATA_DIR', './data', 'Folder of the embedded database and of files.', String),
  ownerToken: setting(
    'ATELIER_OWNER_TOKEN',
    '',
    "The first owner's token, for scripted set-ups: 32 to 200 visible ASCII characters.",
    optional(ownerToken),
  ),
  webhookSecrets: setting(
    'ATELIER_WEBHOOK_SECRETS',
    '',
    "Signing secrets of the identity provider's webhook, comma-separated; none: its messages are refused.",
    webhookSecrets,
  ),
  organization: setting(
    'ATELIER_ORGANIZATION',
    '',
    'The id of the organization whose memberships count, as the identity provider names it; of others none does.',
    optional(String),
  ),
  roles: setting(
    'ATELIER_ROLES',
    defaultRoleMap,
    "The role each of the identity provider's role words gives, exactly as it sends them; any other word: reader.",
    parseRoleMap,
  ),
  oauthIssuer: setting(
    'ATELIER_OAUTH_ISSUER',
    '',
    'Issuer of OAuth 2.0 access tokens, exactly as its tokens name it.',
    optional(url('http:', 'https:')),
  ),
  oauthAudience: setting(
    'ATELIER_OAUTH_AUDIENCE',
    '',
    'What access tokens must be meant for; left out: PUBLIC_URL.',
    optional(String),
  ),
  oauthClientId: setting(
    'ATELIER_OAUTH_CLIENT_ID',
    '',
    'Who this service is to the issuer; with it, people sign in there.',
    optional(String),
  ),
  oauthClientSecret: setting(
    'ATELIER_OAUTH_CLIENT_SECRET',
    '',
    'The secret that goes with the client id; none: a public client.',
    optional(String),
  ),
  signInLinks: setting(
    'ATELIER_SIGN_IN_LINKS',
    'loopback',
    'Where sign-in links may be opened: loopback (the machine of the service) or anywhere.',
    oneOf('loopback', 'anywhere'),
  ),
  retention: setting('ATELIER_RETENTION', 'P30D', 'How long a deleted record can come back.', parseDuration),
  runsKept: setting(
    'ATELIER_RUNS_KEPT',
    '',
    'How long a run at rest is kept since its last change, if nothing of it was exported; then it is deleted. Absent: for ever.',
    optional(parseDuration),
  ),
  runHistoryKept: setting(
    'ATELIER_RUN_HISTORY_KEPT',
    '',
    'How far back the history of a run at rest goes, if nothing of it was exported. Absent: to its beginning.',
    optional(parseDuration),
  ),
  automationRunTimeout: setting(
    'ATELIER_AUTOMATION_RUN_TIMEOUT',
    'PT15M',
    'After this an enqueued automation run counts as dead.',
    parseDuration,
  ),
  vocabulary: setting('ATELIER_VOCABULARY', '', 'A JSON file that replaces vocabularies.', vocabulary),
  nameTemplate: setting(
    'ATELIER_NAME_TEMPLATE',
    defaultNameTemplate,
    'How tasks and creatives are named.',
    nameTemplate,
  ),
  nameTemplateText: setting('ATELIER_NAME_TEMPLATE', defaultNameTemplate, 'How tasks and creatives are named.', String),
  rateLimit: setting(
    'ATELIER_RATE_LIMIT',
    '6000',
    'Requests a minute for each caller: a person, or a token that is nobody’s; 0: no limit.',
    whole(0, 10_000_000),
  ),
  addressRateLimit: setting(
    'ATELIER_ADDRESS_RATE_LIMIT',
    '6000',
    'Requests a minute for each address, as long as their caller is not known; 0: no limit.',
    whole(0, 10_000_000),
  ),
  bodyLimit: setting('ATELIER_BODY_LIMIT', '1048576', 'Bytes of a request body at most.', whole(1024, 104_857_600)),
  files: setting(
    'ATELIER_FILES',
    '',
    'Folder of uploaded files, shared by all processes; absent: `files` in `ATELIER_DATA_DIR`.',
    optional(folder),
  ),
  fileLimit: setting(
    'ATELIER_FILE_LIMIT',
    '104857600',
    'Bytes of an uploaded file at most.',
    whole(1, 1_099_511_627_776),
  ),
  trustedProxies: setting(
    'ATELIER_TRUSTED_PROXIES',
    '',
    'Proxies whose X-Forwarded-For counts: addresses or ranges, comma-separated.',
    proxies,
  ),
  work: setting(
    'ATELIER_WORK',
    'true',
    'Whether `npm start` also works on runs; `false` where `npm run work` does.',
    yes,
  ),
  workerRuns: setting('ATELIER_WORKER_RUNS', '8', 'Runs a process works on at once.', whole(1, 1000)),
  workerCalls: setting('ATELIER_WORKER_CALLS', '8', 'Calls of nodes a process makes at once.', whole(1, 1000)),
  runLimit: setting(
    'ATELIER_RUN_LIMIT',
    '201326592',
    'Bytes of JSON the results of one run come to at most, files not counted.',
    whole(1024, 268_435_456),
  ),
  cacheLimit: setting(
    'ATELIER_CACHE_LIMIT',
    '2147483648',
    'Bytes the node cache keeps, files included; what was used longest ago goes first.',
    whole(0, 1_000_000_000_000_000),
  ),
  openaiBaseUrl: setting(
    'OPENAI_BASE_URL',
    '',
    'A service that speaks the OpenAI API, trusted as it stands; absent: https://api.openai.com/v1, if there is a key.',
    optional(baseUrl),
  ),
  openaiApiKey: setting(
    'OPENAI_API_KEY',
    '',
    'The key for it. With neither, nodes that ask a model are not available.',
    optional(headerText),
  ),
  chatModel: setting('ATELIER_CHAT_MODEL', 'gpt-5.4-mini', 'The language model of nodes that name none.', String),
  imageModel: setting('ATELIER_IMAGE_MODEL', 'gpt-image-2.5-flare', 'The image model of nodes that name none.', String),
  signs: setting('ATELIER_C2PA', 'true', 'Whether exported pictures are signed with content credentials.', yes),
  signingCertificate: setting(
    'ATELIER_C2PA_CERT',
    '',
    'A PEM file: the certificate that signs them, then those above it; absent: one of our own.',
    optional(String),
  ),
  signingKey: setting('ATELIER_C2PA_KEY', '', 'A PEM file with the private key of that certificate.', optional(String)),
  labelRules: setting(
    'ATELIER_LABEL_RULES',
    '',
    'A JSON file that replaces the rules by which markets demand a visible label; `[]`: none does.',
    labelRules,
  ),
  allowedHosts: setting(
    'ATELIER_ALLOWED_HOSTS',
    '',
    'Hosts that nodes may reach on private networks, comma-separated: `name` or `name:port`.',
    hosts,
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug or trace.',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  demo: setting('ATELIER_DEMO', 'true', 'Whether a new database starts with the demo workspace.', yes),
} satisfies { [K in keyof Config]: Setting<Config[K]> }

/** Reads the settings, or throws `ConfigError` with all that is wrong. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const problems: string[] = []
  const read = <T>({ name, fallback, parse }: Setting<T>): T | undefined => {
    try {
      return parse(environment[name] || fallback)
    } catch (error) {
      problems.push(`${name} ${error instanceof Error ? error.message : error}`)
      return undefined
    }
  }
  const known = new Set(Object.values(settings).map(({ name }) => name))
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
  if (Boolean(values.signingCertificate) !== Boolean(values.signingKey)) {
    problems.push('ATELIER_C2PA_CERT and ATELIER_C2PA_KEY belong together: set both, or neither')
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return values as Config // each member was parsed by the setting of its own name, or we threw above
}
