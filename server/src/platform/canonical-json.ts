// In charge of writing canonical JSON (RFC 8785), in which equal values have the same text, and of computing SHA-256 hashes.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Writes a value as JSON without white space, with members sorted by the UTF-16 codes of their names; undefined members are left
 * out. Throws for values that JSON cannot represent: numbers that are not finite, lone surrogates, cyclic values.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError(`There is no JSON for a value of type ${typeof value}.`)
  return text
}

/** Returns the SHA-256 hash as 64 hexadecimal digits; a text is hashed as UTF-8. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex')
