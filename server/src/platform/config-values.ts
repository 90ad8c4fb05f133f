// In charge of parsing the values of settings. Every error message here continues a sentence that begins with the setting's name.
import { isIP } from 'node:net'
import { type NameTemplate, parseNameTemplate } from '@atelier/contract/names.ts'
import { longestKey } from '@atelier/contract/provider-keys.ts'
import { Webhook } from 'standardwebhooks'
import { providerNames } from './provider-names.ts'

/** A duration in two forms: as ISO 8601 text, in which API responses contain it, and in seconds. */
export type Duration = { iso: string; seconds: number }

const refuse = (why: string): never => {
  throw new Error(why)
}
export const whole = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  return /^\d+$/.test(text) && value >= min && value <= max
    ? value
    : refuse(`must be a whole number from ${min} to ${max}`)
}
export const oneOf =
  (...values: string[]) =>
  (text: string) =>
    values.includes(text) ? text : refuse(`must be one of ${values.join(', ')}`)
export const yes = (text: string) => oneOf('true', 'false')(text) === 'true'
export const optional =
  <T>(parse: (text: string) => T) =>
  (text: string) =>
    text === '' ? null : parse(text)
export const url =
  (...protocols: string[]) =>
  (text: string) => {
    const isStarted = protocols.some((protocol) => text.startsWith(`${protocol}//`))
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text
    return refuse(
      isStarted
        ? 'cannot be read as a URL: in a name or password, / # ? @ : and % are written as %2F %23 %3F %40 %3A %25'
        : `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
    )
  }

/** Parses the address of a PostgreSQL database. */
export const postgresUrl = url('postgres:', 'postgresql:')

/** Ports that browsers refuse to connect to (Fetch Standard, “bad port”). */
const barredPorts: ReadonlySet<number> = new Set([
  ...[0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109],
  ...[110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530],
  ...[531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190],
  ...[5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080],
])
const barred = (port: number): never => refuse(`must be a port that browsers open: they refuse ${port}`)

/** Parses a port number; 0 means that the system chooses an unused port. */
export function port(text: string): number {
  const value = whole(0, 65_535)(text)
  return value !== 0 && barredPorts.has(value) ? barred(value) : value
}

/** Parses the public address of the service. It must have no path, because the app's own paths begin directly after the host. */
export function origin(text: string): string {
  const {
    protocol,
    host,
    port: given,
    pathname,
    search,
    hash,
    username,
    password,
  } = new URL(url('http:', 'https:')(text))
  if (username !== '' || password !== '') return refuse('must be an address without a name and password')
  if (!/^\/*$/.test(pathname) || search !== '' || hash !== '') {
    return refuse(
      `must end after the host, such as ${protocol}//${host}: the service answers at the root of a host only`,
    )
  }
  return given !== '' && barredPorts.has(Number(given)) ? barred(Number(given)) : `${protocol}//${host}`
}
/** Parses the base address of another service. Slashes at its end are removed, because paths are appended to it. */
export const baseUrl = (text: string) => url('http:', 'https:')(text).replace(/\/+$/, '')
export const visibleToken = (text: string) =>
  /^[\x21-\x7e]{32,200}$/.test(text) ? text : refuse('must be 32 to 200 visible ASCII characters')

export const headerText = (text: string) =>
  /^[\x21-\x7e]+$/.test(text) && text.length <= longestKey
    ? text
    : refuse(`must be at most ${longestKey} visible ASCII characters without blanks`)

/**
 * Parses pairs of the form `provider=value`, separated by commas; a value may contain equals signs. An error message never repeats
 * a value, because the value may be a secret key.
 */
export const byProvider =
  (parse: (text: string) => string) =>
  (text: string): ReadonlyMap<string, string> => {
    const pairs = text.split(',').filter((one) => one.trim() !== '')
    const found = pairs.map((one) => /^\s*([a-z]+)=(\S+)\s*$/.exec(one))
    if (found.some((one) => one === null)) throw new Error('must list values such as google=…,fal=…')
    if (found.some((one) => one?.[1] === 'openai'))
      throw new Error('must not name openai, which has settings of its own')
    const names = found.map((one) => one?.[1] ?? '')
    const others = providerNames.filter((name) => name !== 'openai')
    const unknown = names.filter((name) => !others.includes(name))
    if (unknown.length > 0) throw new Error(`must name ${others.join(', ')}, not ${unknown.join(', ')}`)
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) throw new Error(`names ${twice} twice`)
    return new Map(found.map((one) => [one?.[1] ?? '', parse(one?.[2] ?? '')]))
  }
export function hosts(text: string): string[] {
  const listed = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = listed.filter((part) => !/^[a-z0-9._-]+(?::\d{1,5})?$/i.test(part) && isIP(part) === 0)
  return wrong.length === 0 ? listed : refuse(`must list hosts such as models or models:8080, not ${wrong.join(', ')}`)
}

/**
 * Parses secrets as Standard Webhooks defines them: base64 of 24 to 64 bytes, with or without `whsec_`. Several secrets are
 * allowed, so that an old one stays valid while it is replaced. Base64 with `-` and `_` is refused: no message could be verified with
 * it, since the library that verifies them does not read it.
 */
export function webhookSecrets(text: string): string[] {
  const listed = text.split(/[\s,]+/).filter((part) => part !== '')
  return listed.every(isWebhookSecret)
    ? listed
    : refuse(
        'must list base64 secrets of 24 to 64 bytes (with + and /, not - and _), with or without whsec_, comma-separated',
      )
}

function isWebhookSecret(secret: string): boolean {
  const { length } = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  if (length < 24 || length > 64) return false
  try {
    new Webhook(secret)
    return true
  } catch {
    return false
  }
}

/** Parses a list of 32-byte keys, each in hexadecimal or base64. */
export function secretsKeys(text: string): Buffer[] {
  const listed = text.split(/[\s,]+/).filter((part) => part !== '')
  const keys = listed.map((part) => Buffer.from(part, /^[0-9a-f]{64}$/i.test(part) ? 'hex' : 'base64'))
  return keys.every(({ length }) => length === 32)
    ? keys
    : refuse(
        'must list keys of 32 bytes in hexadecimal or base64, comma-separated, such as `openssl rand -hex 32` gives',
      )
}

/** Parses a list of IP addresses, address ranges such as `10.0.0.0/8`, and the names that Fastify has for common ranges. */
export function proxies(text: string): string[] {
  const listed = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = listed.filter((part) => !isProxy(part))
  const all = listed.filter((part) => /\/0+$/.test(part))
  if (all.length > 0)
    return refuse(`must name your proxies: with ${all.join(', ')} every caller says which address it has`)
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

/** Returns the parts of `s3://bucket/prefix`; null if the text is not of that form. The prefix is empty or ends with a slash. */
export function parseBucket(text: string): { bucket: string; prefix: string } | null {
  const [, bucket, prefix] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/+([\w./-]*))?$/i.exec(text) ?? []
  if (bucket === undefined) return null
  return { bucket, prefix: (prefix ?? '').replace(/\/*$/, '/').replace(/^\/$/, '') }
}

/** Parses the path of a folder, or an address `s3://bucket/prefix`. */
export function filesAddress(text: string): string {
  if (!/^(?:s3:|[a-z][a-z0-9+.-]+:\/\/)/i.test(text) || parseBucket(text) !== null) return text
  return refuse('must be the path of a folder, or s3://bucket/prefix in plain letters, digits, and _ . - /')
}

/** Parses an ISO 8601 duration in weeks, days, hours, minutes and seconds. Months and years are refused: their length varies. */
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

export function nameTemplate(text: string): NameTemplate {
  const parsed = parseNameTemplate(text)
  return 'errors' in parsed ? refuse(parsed.errors.join('; ')) : parsed.template
}
