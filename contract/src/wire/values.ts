// In charge of values that are too long to be sent as a part of a run: the reference that replaces such a value, and how clients
// distinguish references from other values. Pure.
import { isPlainObject } from '../graph/definition.ts'

/** The maximum size in bytes of a value's JSON in `outputs`; a reference replaces any larger value. */
export const longestShown = 64 * 1024

/** The reference that replaces a value in `outputs` if the value is too long. */
export type ValueReference = {
  $value: {
    /** The SHA-256 of the value's JSON text, in hexadecimal. */
    digest: string
    /** The size of the value's JSON text in bytes. */
    bytes: number
    type: 'string' | 'array' | 'object'
    /** The first 500 characters of the value if it is a text, otherwise of its JSON. */
    head: string
  }
}

export const isReference = (value: unknown): value is ValueReference =>
  isPlainObject(value) && isPlainObject(value.$value) && typeof value.$value.digest === 'string'

/** If an object in a value has a key like that of a reference, the server puts a `$` before the key; this function removes it. */
export const keyAsMade = (key: string): string => (/^\$\$+value$/.test(key) ? key.slice(1) : key)

/** Returns a value from a run in its original form, with the added `$` removed from all keys. */
export function asMade(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(asMade)
  if (!isPlainObject(shown) || isReference(shown)) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [keyAsMade(key), asMade(value)]))
}
