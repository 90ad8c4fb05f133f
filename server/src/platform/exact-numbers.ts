// In charge of numbers that a double cannot represent: detecting them, and showing them in errors exactly as they were sent.
import { randomUUID } from 'node:crypto'

declare global {
  interface JSON {
    /** ES2025, not declared by TypeScript yet: `stringify` writes the returned value as exactly this text. */
    rawJSON(text: string): unknown
  }
}

/** A number of 2^53 or more that a double would change. A parsed body contains it until validation refuses the body. */
export class InexactNumber {
  /** The number as it was sent. */
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
  /** The nearest number that a double can represent. */
  get nearest(): number {
    return Number(this.text)
  }
  toJSON(): unknown {
    return JSON.rawJSON(this.text)
  }
}

/** Whether parsing may have changed a number: above this value, doubles cannot represent every integer. */
export const isLarge = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isFinite(value)

/**
 * Whether a number in a JSON text survives parsing: its double is exactly that number, or is written the same way. From 1e21
 * on, only an exact double counts, because PostgreSQL would write 1e300 with three hundred zeros.
 */
export function staysWhole(text: string): boolean {
  const value = Math.abs(Number(text))
  if (!isLarge(value)) return true
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = withoutTrailingZeros(digits)
  const zeros = Number(exponent) - fraction.length + digits.length - kept.length
  // `zeros` below 0 means that the number has a fraction, while doubles of this size are integers. No finite number has more
  // than 309 digits, so the BigInt stays small.
  if (zeros < 0) return false
  const sent = BigInt(kept) * 10n ** BigInt(zeros)
  return sent === BigInt(value) || (value < 1e21 && sent === BigInt(String(value)))
}

/** A loop, because a regular expression would need quadratic time for many zeros inside the number. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

export type ReadNumbers = {
  value: unknown
  /** The locations of every `InexactNumber` in the value. */
  inexact: { loc: (string | number)[]; number: InexactNumber }[]
}

/**
 * Parses a JSON text, with an `InexactNumber` for each number that a double would change; `at` is the location of the root
 * value. The text is marked and parsed again: `JSON.parse` could also return the text of each number, but that takes five
 * times as long on 16 MB.
 */
export function readLarge(json: string, at: readonly (string | number)[]): ReadNumbers {
  const mark = randomUUID()
  const inexact: ReadNumbers['inexact'] = []
  const unmark = (value: unknown, loc: (string | number)[]): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const text: unknown = Reflect.get(value, mark)
    if (typeof text === 'string') {
      const number = new InexactNumber(text)
      inexact.push({ loc, number })
      return number
    }
    const isList = Array.isArray(value)
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue
      Reflect.set(value, name, unmark(member, [...loc, isList ? Number(name) : name]))
    }
    return value
  }
  return { value: unmark(JSON.parse(markInexact(json, mark)), [...at]), inexact }
}

const numberText = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** A JSON text in which each number that a double would change is replaced by `{"<mark>":"<its text>"}`. */
function markInexact(json: string, mark: string): string {
  let marked = ''
  let copied = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x22) at = endOfString(json, at)
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      numberText.lastIndex = at
      const text = numberText.exec(json)?.[0] ?? ''
      if (!staysWhole(text)) {
        marked += `${json.slice(copied, at)}{"${mark}":"${text}"}`
        copied = at + text.length
      }
      at += Math.max(text.length, 1) - 1
    }
  }
  return marked + json.slice(copied)
}

/** The position of the quote that ends the string beginning at a position. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22) return at
  }
  return json.length
}
