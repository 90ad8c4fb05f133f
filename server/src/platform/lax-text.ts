// In charge of reading numbers and booleans from the text of queries, paths and headers, by the rules of Pydantic's lax mode.

const integer = /^[+-]?\d+(?:\.0+)?$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const notFinite = /^[+-]?(?:inf|infinity|nan)$/i

/** Returns the integer in a text, rounded if a double cannot represent it exactly; null if the text is not an integer. */
export function readInteger(text: string): number | null {
  const digits = plainDigits(text)
  return digits !== null && integer.test(digits) ? Number(digits) : null
}

/** Returns the number in a text; NaN for `inf`, `infinity` and `nan`; infinity for a number too large for a double; else null. */
export function readNumber(text: string): number | null {
  const digits = plainDigits(text)
  if (digits === null) return null
  if (notFinite.test(digits)) return Number.NaN
  return decimal.test(digits) ? Number(digits) : null
}

/** Returns true for `yes`, `on`, `t`, `1` and similar words, false for `no` and similar words, and null for any other text. */
export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  if (['1', 'on', 't', 'true', 'y', 'yes'].includes(word)) return true
  return ['0', 'off', 'f', 'false', 'n', 'no'].includes(word) ? false : null
}

/** Removes surrounding space, and underscores as in `1_000`. Returns null if underscores are adjacent or at either end. */
function plainDigits(text: string): string | null {
  const trimmed = text.trim()
  return /^[+-]?_|__|_$/.test(trimmed) ? null : trimmed.replaceAll('_', '')
}

type TextSchema = { type?: unknown; minimum?: unknown; maximum?: unknown }

/**
 * Converts a text to the type in a schema; returns the text itself if it does not represent a value of that type. An integer beyond
 * ±2^53, which a double may round, stays text too. But if it is outside the schema's bounds, the nearest safe integer is
 * returned, so that validation reports the violated bound.
 */
export function readText(text: string, { type, minimum, maximum }: TextSchema): unknown {
  switch (Array.isArray(type) ? type.find((one) => one !== 'null') : type) {
    case 'boolean':
      return readBoolean(text) ?? text
    case 'number': {
      const number = readNumber(text)
      return number !== null && Number.isFinite(number) ? number : text
    }
    case 'integer': {
      const number = readInteger(text)
      if (number === null || Number.isSafeInteger(number)) return number ?? text
      if (typeof maximum === 'number' && number > maximum) return Number.MAX_SAFE_INTEGER
      return typeof minimum === 'number' && number < minimum ? Number.MIN_SAFE_INTEGER : text
    }
    default:
      return text
  }
}
