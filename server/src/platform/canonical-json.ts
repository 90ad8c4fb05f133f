// In charge of canonical JSON (RFC 8785), equal for equal values, and of hashing it.
import { hash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * JSON with members sorted by code unit and without white space; undefined members are left out. Throws for values that
 * JSON cannot represent: numbers that are not finite, lone surrogates, cyclic values.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError(`There is no JSON for a value of type ${typeof value}.`)
  return text
}

/** The SHA-256 as 64 hexadecimal digits; a text is hashed as UTF-8. */
export const sha256Hex = (text: string | Uint8Array): string => hash('sha256', text, 'hex')
