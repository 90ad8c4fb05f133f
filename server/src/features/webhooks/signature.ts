// In charge of verifying that a webhook message is from the provider: Standard Webhooks signatures of the raw body.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { Webhook } from 'standardwebhooks'

export type MessageHeaders = { id: string; timestamp: string; signature: string }
type RawHeaders = Record<string, string | string[] | undefined>

/** Prefixes of header names: those of the standard, and those in use before the standard. */
const prefixes = ['webhook', 'svix'] as const

/** The three headers of a message, with either prefix; throws a 401 if one is missing or malformed. */
export function readHeaders(headers: RawHeaders): MessageHeaders {
  for (const prefix of prefixes) {
    const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((part) => headers[`${prefix}-${part}`])
    if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') continue
    // The library parses a timestamp only up to its first letter, so a timestamp with more text after it must be refused.
    if (!/^[0-9]{1,12}$/.test(timestamp) || !/^[^\s.]{1,256}$/.test(id)) throw refused('its headers are malformed')
    return { id, timestamp, signature }
  }
  throw refused('it carries no webhook-id, webhook-timestamp and webhook-signature')
}

/** Throws unless one of the secrets signed exactly these bytes, at most five minutes from now. Rotation needs several secrets. */
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
