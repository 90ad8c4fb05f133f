// In charge of deciding whether a webhook message is the provider's: Standard Webhooks signatures over the raw body.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { Webhook } from 'standardwebhooks'

export type MessageHeaders = { id: string; timestamp: string; signature: string }
type RawHeaders = Record<string, string | string[] | undefined>

/** Header names before and after the standard got its own. */
const prefixes = ['webhook', 'svix'] as const

/** The three headers of a message, under either set of names; 401 where one is missing or of no form at all. */
export function readHeaders(headers: RawHeaders): MessageHeaders {
  for (const prefix of prefixes) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => headers[`${prefix}-${part}`])
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') continue
    // The library reads a timestamp up to the first letter: what was signed would not be what was sent.
    if (!/^[0-9]{1,12}$/.test(timestamp) || !/^[^\s.]{1,256}$/.test(id)) throw refused('its headers are malformed')
    return { id, timestamp, signature }
  }
  throw refused('it carries no webhook-id, webhook-timestamp and webhook-signature')
}

/** Throws unless one of the secrets signed these very bytes, no more than five minutes from now. Several: rotation. */
export function verifySignature(secrets: readonly string[], headers: MessageHeaders, body: Buffer): void {
  const names = {
    'webhook-id': headers.id,
    'webhook-timestamp': headers.timestamp,
    'webhook-signature': headers.signature,
  }
  const reasons = secrets.map((secret) => {
    try {
      new Webhook(secret).verify(body, names, { jsonParse: false })
      return null
    } catch (error) {
      return error instanceof Error ? error.message : 'it cannot be verified'
    }
  })
  if (!reasons.includes(null)) throw refused(reasons[0] ?? 'no secret is set')
}

const refused = (why: string) =>
  new Refusal(
    'invalid_signature',
    `The message is not taken for the provider's: ${why}. Check the signing secret and the clock.`,
  )
