// In charge of the table of settings: name, default, meaning and parser of each. It has over 400 lines because it is one table.
import type { LabelRule } from '@atelier/contract/label-rules.ts'
import { defaultNameTemplate, type NameTemplate } from '@atelier/contract/names.ts'
import type { Vocabularies } from '@atelier/contract/vocabulary.ts'
import { folder, labelRules, type ModelList, models, vocabulary } from './config-files.ts'
import {
  baseUrl,
  byProvider,
  type Duration,
  filesAddress,
  headerText,
  hosts,
  nameTemplate,
  oneOf,
  optional,
  origin,
  parseDuration,
  port,
  postgresUrl,
  proxies,
  secretsKeys,
  url,
  visibleToken,
  webhookSecrets,
  whole,
  yes,
} from './config-values.ts'
import { type MailSender, mailSender, type SmtpServer, smtpServer } from './mail-settings.ts'
import { defaultProviderLimits, type ProviderLimits, parseProviderLimits } from './provider-limits.ts'
import { modelName } from './provider-names.ts'
import { defaultRoleMap, parseRoleMap, type RoleMap } from './role-map.ts'

export type Config = {
  host: string
  port: number
  publicUrl: string | null
  /** The first key encrypts secrets in the database; the other keys only decrypt older ones. */
  secretsKeys: Buffer[]
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
  /** The token that clients of `/metrics` have to send; null if they need no token. */
  metricsToken: string | null
  metricsHost: string
  /** The port for `/metrics`. Null: the port for requests serves it; a process that only works on runs then serves no metrics. */
  metricsPort: number | null
  /** `durable` if a commit waits until its data is on the disk, `fast` if it does not. */
  embeddedCommits: string
  /** How many snapshots of the embedded database are kept; 0 means that no snapshots are taken. */
  snapshotsKept: number
  snapshotEvery: Duration
  runsKept: Duration | null
  runHistoryKept: Duration | null
  automationRunTimeout: Duration
  vocabulary: Vocabularies
  nameTemplate: NameTemplate
  nameTemplateText: string
  rateLimit: number
  addressRateLimit: number
  bodyLimit: number
  /** A folder or `s3://bucket/prefix`; null means the folder `files` in the data folder. */
  files: string | null
  /** Who sends the files in a bucket to browsers: `service` or `store`. */
  fileLinks: string
  /** Whether URLs contain the bucket in their path, not in the host; null: only if `AWS_ENDPOINT_URL` is set. */
  s3PathStyle: boolean | null
  fileLimit: number
  /** The most bytes of thumbnails that are kept on the disk. */
  thumbnailLimit: number
  trustedProxies: string[]
  /** Whether this process also works on runs, besides serving requests. */
  work: boolean
  workerRuns: number
  workerCalls: number
  providerLimits: ProviderLimits
  /** The most bytes of JSON in the results of one run. */
  runLimit: number
  cacheLimit: number
  openaiBaseUrl: string | null
  openaiApiKey: string | null
  /** The API keys, by the name of the model provider. */
  providerKeys: ReadonlyMap<string, string>
  providerUrls: ReadonlyMap<string, string>
  models: ModelList
  chatModel: string
  imageModel: string
  creditPrice: number | null
  signs: boolean
  signingCertificate: string | null
  signingKey: string | null
  labelRules: readonly LabelRule[]
  allowedHosts: string[]
  /** The mail server; null means that no mail is sent. */
  smtp: SmtpServer | null
  mailFrom: MailSender | null
  logLevel: string
  demo: boolean
}

export type Setting<T> = { name: string; fallback: string; means: string; parse: (text: string) => T }

const setting = <T>(name: string, fallback: string, means: string, parse: (text: string) => T): Setting<T> => ({
  name,
  fallback,
  means,
  parse,
})

/** All settings. A test compares the settings with the list in `docs/configuration.md`. */
export const settings = {
  host: setting('HOST', '127.0.0.1', 'Address to listen on.', String),
  port: setting('PORT', '3000', 'Port to listen on; 0 takes a free one.', port),
  publicUrl: setting('PUBLIC_URL', '', 'Where browsers and integrations reach the service.', optional(origin)),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'A PostgreSQL server; absent: the embedded database.',
    optional(postgresUrl),
  ),
  databaseConnections: setting(
    'ATELIER_DATABASE_CONNECTIONS',
    '10',
    'Connections of this process to PostgreSQL.',
    whole(2, 1000),
  ),
  dataDir: setting('ATELIER_DATA_DIR', './data', 'Folder of the embedded database and of files.', folder),
  ownerToken: setting(
    'ATELIER_OWNER_TOKEN',
    '',
    "The first owner's token, for scripted set-ups: 32 to 200 visible ASCII characters.",
    optional(visibleToken),
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
  metricsToken: setting(
    'ATELIER_METRICS_TOKEN',
    '',
    'Bearer token that `/metrics` asks for: 32 to 200 visible ASCII characters. Absent: it is open to whoever reaches it.',
    optional(visibleToken),
  ),
  metricsHost: setting('ATELIER_METRICS_HOST', '127.0.0.1', 'Address that `ATELIER_METRICS_PORT` is on.', String),
  metricsPort: setting(
    'ATELIER_METRICS_PORT',
    '',
    'A port of this process for `/healthz`, `/readyz` and `/metrics`, also of `npm run work`; `/metrics` is only there then.',
    optional(port),
  ),
  embeddedCommits: setting(
    'ATELIER_EMBEDDED_COMMITS',
    'durable',
    '`durable`: what the embedded database has acknowledged is on the disk and survives a power cut; `fast`: it is so soon after, and may be damaged by one.',
    oneOf('durable', 'fast'),
  ),
  snapshotsKept: setting(
    'ATELIER_SNAPSHOTS_KEPT',
    '3',
    'How many snapshots of the embedded database are kept in the data folder; 0: none are taken.',
    whole(0, 1000),
  ),
  snapshotEvery: setting(
    'ATELIER_SNAPSHOT_EVERY',
    'PT6H',
    'How long after one snapshot the next is taken.',
    parseDuration,
  ),
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
    'Where uploaded files are kept, shared by all processes: a folder, or `s3://bucket/prefix`; absent: `files` in `ATELIER_DATA_DIR`.',
    optional(filesAddress),
  ),
  fileLinks: setting(
    'ATELIER_FILE_LINKS',
    'service',
    'Who sends browsers the files of a bucket: service, or store by an address that is good for 5 minutes.',
    oneOf('service', 'store'),
  ),
  s3PathStyle: setting(
    'ATELIER_S3_PATH_STYLE',
    '',
    'Whether the bucket stands in the path of addresses, not in the host; absent: yes where `AWS_ENDPOINT_URL` is set.',
    optional(yes),
  ),
  fileLimit: setting(
    'ATELIER_FILE_LIMIT',
    '104857600',
    'Bytes of an uploaded file at most.',
    whole(1, 1_099_511_627_776),
  ),
  thumbnailLimit: setting(
    'ATELIER_THUMBNAIL_LIMIT',
    '1073741824',
    'Bytes of thumbnails kept in `ATELIER_DATA_DIR`; those looked at longest ago go first.',
    whole(0, 1_000_000_000_000_000),
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
  workerCalls: setting(
    'ATELIER_WORKER_CALLS',
    '8',
    'Nodes that ask no provider, computed at once in a process.',
    whole(1, 1000),
  ),
  providerLimits: setting(
    'ATELIER_PROVIDER_LIMITS',
    defaultProviderLimits,
    'Calls of each provider at a time, and after a slash begun in a minute, over all processes.',
    parseProviderLimits,
  ),
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
    'The key for it. With no provider at all, nodes that ask a model are not available.',
    optional(headerText),
  ),
  providerKeys: setting(
    'ATELIER_PROVIDER_KEYS',
    '',
    'Keys of other providers of models, comma-separated: `google=…,anthropic=…,fal=…,replicate=…,bfl=…,compatible=…,comfyui=…`.',
    byProvider(headerText),
  ),
  secretsKeys: setting(
    'ATELIER_SECRETS_KEY',
    '',
    'The key that seals what people give in the app, keys of providers and addresses of chats: 32 bytes, as `openssl rand -hex 32` gives; former ones after a comma.',
    secretsKeys,
  ),
  providerUrls: setting(
    'ATELIER_PROVIDER_URLS',
    '',
    'Where they are reached, trusted as it stands: `compatible=http://127.0.0.1:8000/v1,comfyui=http://127.0.0.1:8188`; absent: their usual addresses.',
    byProvider(baseUrl),
  ),
  models: setting(
    'ATELIER_MODELS',
    '',
    'A JSON file that replaces the list of models, with what they take, what they cost and until when they live.',
    models,
  ),
  chatModel: setting('ATELIER_CHAT_MODEL', 'gpt-5.4-mini', 'The language model of nodes that name none.', modelName),
  imageModel: setting(
    'ATELIER_IMAGE_MODEL',
    'gpt-image-2.5-flare',
    'The image model of nodes that name none.',
    modelName,
  ),
  creditPrice: setting(
    'ATELIER_CREDIT_PRICE',
    '',
    'What a credit is worth, in millionths of the currency of the list of models: calls whose price is known cost credits by it; absent: what node types say.',
    optional(whole(1, 1_000_000_000_000)),
  ),
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
    'Hosts that nodes and chat messages may reach on private networks, comma-separated: `name` or `name:port`.',
    hosts,
  ),
  smtp: setting(
    'ATELIER_SMTP_URL',
    '',
    'The server that takes mail: `smtp://name:password@host:587` (STARTTLS) or `smtps://…` (TLS); absent: none is sent.',
    optional(smtpServer),
  ),
  mailFrom: setting(
    'ATELIER_MAIL_FROM',
    '',
    'Who mail is from: `atelier@example.org` or `Atelier <atelier@example.org>`.',
    optional(mailSender),
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug, trace, or silent: no log at all.',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  demo: setting('ATELIER_DEMO', 'true', 'Whether a new database starts with the demo workspace.', yes),
} satisfies { [K in keyof Config]: Setting<Config[K]> }
