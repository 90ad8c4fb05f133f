// In charge of verifying the signature of a message from the identity provider, as the specification Standard Webhooks describes
// it.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { Webhook } from 'standardwebhooks'

export type MessageHeaders = { id: string; timestamp: string; signature: string }
type RawHeaders = Record<string, string | string[] | undefined>

/** The prefixes of the header names: first the one of the standard, then the one that was used before the standard. */
const prefixes = ['webhook', 'svix'] as const

/** Reads the three headers of a message, which may have either prefix. Throws a 401 if one is missing or malformed. */
export function readHeaders(headers: RawHeaders): MessageHeaders {
  for (const prefix of prefixes) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => headers[`${prefix}-${part}`])
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') continue
    // The library ignores everything after the digits of a timestamp; so a timestamp with more text must be refused here.
    if (!/^[0-9]{1,12}$/.test(timestamp) || !/^[^\s.]{1,256}$/.test(id)) throw refused('its headers are malformed')
    return { id, timestamp, signature }
  }
  throw refused('it carries no webhook-id, webhook-timestamp and webhook-signature')
}

/**
 * Throws unless one of the secrets signed exactly these bytes, at a time at most five minutes from now. There may be several
 * secrets, so that an old one can be replaced by a new one.
 */
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
