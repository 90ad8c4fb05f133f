// In charge of parsing JSON from outside services into values that the database can store. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { storableText } from '../short-text.ts'

/**
 * Parses JSON; undefined if `text` is not JSON. In texts and names of the value, U+FFFD takes the place of the characters that the
 * database cannot store: NUL and lone surrogates. `text` must not contain these characters itself, but may contain their escapes,
 * such as `\u0000`, which become characters only when they are parsed.
 */
export function parseStorable(text: string): unknown {
  try {
    return JSON.parse(text, text.includes('\\u') ? storable : undefined)
  } catch {
    return undefined
  }
}

function storable(_: string, value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [storableText(name), one]))
}
