// In charge of reading numbers and booleans out of query, path and header text, as Pydantic's lax mode does.

const integer = /^[+-]?\d+(?:\.0+)?$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const notFinite = /^[+-]?(?:inf|infinity|nan)$/i

/** The integer a text stands for, rounded where a double cannot hold it; null where it is none. */
export function readInteger(text: string): number | null {
  const digits = plainDigits(text)
  return digits !== null && integer.test(digits) ? Number(digits) : null
}

/** The number a text stands for, Infinity and NaN included; null where it is none. */
export function readNumber(text: string): number | null {
  const digits = plainDigits(text)
  if (digits === null) return null
  if (notFinite.test(digits)) return Number.NaN
  return decimal.test(digits) ? Number(digits) : null
}

/** `yes`, `on`, `t`, `1` and their like; null where it is neither true nor false. */
export function readBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  if (['1', 'on', 't', 'true', 'y', 'yes'].includes(word)) return true
  return ['0', 'off', 'f', 'false', 'n', 'no'].includes(word) ? false : null
}

/** The text without the space around it and the underscores within it (`1_000`), which stand singly or not at all. */
function plainDigits(text: string): string | null {
  const trimmed = text.trim()
  return /^[+-]?_|__|_$/.test(trimmed) ? null : trimmed.replaceAll('_', '')
}

type TextSchema = { type?: unknown; minimum?: unknown; maximum?: unknown }

/**
 * The value a text stands for by a schema's type; the text itself where it stands for none.
 * An integer too large for a double is kept as text too, unless it breaks a bound: then it is refused for that.
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
