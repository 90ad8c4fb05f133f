// In charge of values that are too long to be shown in a run: the reference shown instead, and how it differs from a value. Pure.
import { isPlainObject } from '../graph/definition.ts'

/** Longer values, as JSON, stand in `outputs` as a reference. */
export const longestShown = 64 * 1024

/** What stands in `outputs` for a long value. */
export type ValueReference = {
  $value: {
    /** SHA-256 of the value’s JSON text, hexadecimal. */
    digest: string
    /** Bytes of that text. */
    bytes: number
    type: 'string' | 'array' | 'object'
    /** How a text begins, or the JSON of anything else. */
    head: string
  }
}

export const isReference = (value: unknown): value is ValueReference =>
  isPlainObject(value) && isPlainObject(value.$value) && typeof value.$value.digest === 'string'

/** On the wire, a key that looks like a reference’s has one `$` more than it was made with. */
export const keyAsMade = (key: string): string => (/^\$\$+value$/.test(key) ? key.slice(1) : key)

/** A value as it was made. */
export function asMade(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(asMade)
  if (!isPlainObject(shown) || isReference(shown)) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [keyAsMade(key), asMade(value)]))
}
