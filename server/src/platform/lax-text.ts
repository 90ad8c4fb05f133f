// In charge of reading numbers and booleans from the text of queries, paths and headers, by the rules of Pydantic's lax mode.

const integer = /^[+-]?\d+(?:\.0+)?$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const notFinite = /^[+-]?(?:inf|infinity|nan)$/i

/** The integer that a text represents, rounded if a double cannot represent it exactly; null if the text is no integer. */
export function readInteger(text: string): number | null {
  const digits = plainDigits(text)
  return digits !== null && integer.test(digits) ? Number(digits) : null
}

/** The number that a text represents, NaN for `inf`, `infinity` and `nan`; null if the text is no number. */
export function readNumber(text: string): number | null {
  const digits = plainDigits(text)
  if (digits === null) return null
  if (notFinite.test(digits)) return Number.NaN
  return decimal.test(digits) ? Number(digits) : null
}

/** Reads `yes`, `on`, `t`, `1`, `no` and similar words; null for any other text. */
export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  if (['1', 'on', 't', 'true', 'y', 'yes'].includes(word)) return true
  return ['0', 'off', 'f', 'false', 'n', 'no'].includes(word) ? false : null
}

/** The text without surrounding space and without underscores (`1_000`); null if two are adjacent or one is at an end. */
function plainDigits(text: string): string | null {
  const trimmed = text.trim()
  return /^[+-]?_|__|_$/.test(trimmed) ? null : trimmed.replaceAll('_', '')
}

type TextSchema = { type?: unknown; minimum?: unknown; maximum?: unknown }

/**
 * The value that a text represents under a schema's type; the text itself if it represents none. An integer too large for a
 * double also stays text, unless it is outside the schema's bounds: then the result is a number, so that the bound refuses it.
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
