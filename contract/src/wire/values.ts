// In charge of values too long to be included in a run: the reference that replaces them, and how clients distinguish a
// reference from a value. Pure.
import { isPlainObject } from '../graph/definition.ts'

/** Values whose JSON is longer are replaced by a reference in `outputs`. */
export const longestShown = 64 * 1024

/** Replaces a long value in `outputs`. */
export type ValueReference = {
  $value: {
    /** SHA-256 of the value’s JSON text, hexadecimal. */
    digest: string
    /** Bytes of that text. */
    bytes: number
    type: 'string' | 'array' | 'object'
    /** The beginning of a text, or of the JSON of any other value. */
    head: string
  }
}

export const isReference = (value: unknown): value is ValueReference =>
  isPlainObject(value) && isPlainObject(value.$value) && typeof value.$value.digest === 'string'

/** A value's own key that looks like the key of a reference gets one more `$` on the wire; this removes it again. */
export const keyAsMade = (key: string): string => (/^\$\$+value$/.test(key) ? key.slice(1) : key)

/** Returns the original of a value that was read from a run. */
export function asMade(shown: unknown): unknown {
  if (Array.isArray(shown)) return shown.map(asMade)
  if (!isPlainObject(shown) || isReference(shown)) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [keyAsMade(key), asMade(value)]))
}
