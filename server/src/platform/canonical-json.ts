// In charge of one text for equal JSON values (RFC 8785), and of hashing it.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * JSON with its members sorted by code unit and nothing between them; members that are undefined are left out. Throws
 * for what is not JSON: numbers that are not finite, lone surrogates, a value within itself.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError(`There is no JSON for a value of type ${typeof value}.`)
  return text
}

/** 64 hexadecimal digits; of a text, the hash of its UTF-8. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex')
