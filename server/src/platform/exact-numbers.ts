// In charge of detecting numbers that a double cannot represent, and of showing such numbers in errors exactly as they were sent.
import { randomUUID } from 'node:crypto'

declare global {
  interface JSON {
    /** TypeScript does not declare this function yet. `JSON.stringify` writes the returned value as exactly `text`. */
    rawJSON(text: string): unknown
  }
}

/** A number beyond ±2^53 that a double would change. A parsed body contains such objects until validation refuses the body. */
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

/** Whether parsing may have changed a number: beyond ±2^53, a double cannot represent every integer. */
export const isLarge = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER && Number.isFinite(value)

/**
 * Whether a number of a JSON text survives parsing unchanged: its double is exactly that number, or JavaScript writes the double
 * with the same digits. From 1e21 on, the double must be exact: JavaScript writes such a double with an exponent (`1e+300`), and
 * PostgreSQL then writes out all of its digits, which would differ from those that were sent.
 */
export function staysWhole(text: string): boolean {
  const value = Math.abs(Number(text))
  if (!isLarge(value)) return true
  const [mantissa = '', exponent = '0'] = text.replace('-', '').toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = `${whole}${fraction}`.replace(/^0+/, '')
  const kept = withoutTrailingZeros(digits)
  const zeros = Number(exponent) - fraction.length + digits.length - kept.length
  // If `zeros` is negative, the number has a fraction, while doubles of this size are integers. No finite number has more than 309
  // digits, so the BigInt stays small.
  if (zeros < 0) return false
  const sent = BigInt(kept) * 10n ** BigInt(zeros)
  return sent === BigInt(value) || (value < 1e21 && sent === BigInt(String(value)))
}

/** This is a loop, because a regular expression would take quadratic time for digits with many zeros in the middle. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/**
 * The location of a value: its name or index in the value around it, and the location of that value; `around` is null for the root.
 * Values in the same container share the location of the container, so that a location takes the same little room at any depth.
 */
export type Place = { readonly around: Place | null; readonly key: string | number }

export type ReadNumbers = {
  value: unknown
  /** Every `InexactNumber` in the value, with its location. */
  inexact: { place: Place; number: InexactNumber }[]
}

/**
 * Parses a JSON text and puts an `InexactNumber` in place of each number that a double would change; `root` is the name of the root
 * value in locations. `markInexact` marks these numbers, and then the text is parsed again. `JSON.parse` could also return the text
 * of each number, but that takes five times as long for 16 MB.
 */
export function readLarge(json: string, root: string): ReadNumbers {
  const mark = randomUUID()
  const inexact: ReadNumbers['inexact'] = []
  const unmark = (value: unknown, place: Place): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const text: unknown = Reflect.get(value, mark)
    if (typeof text === 'string') {
      const number = new InexactNumber(text)
      inexact.push({ place, number })
      return number
    }
    const isList = Array.isArray(value)
    for (const [name, member] of Object.entries(value)) {
      if (typeof member !== 'object' || member === null) continue
      Reflect.set(value, name, unmark(member, { around: place, key: isList ? Number(name) : name }))
    }
    return value
  }
  return { value: unmark(JSON.parse(markInexact(json, mark)), { around: null, key: root }), inexact }
}

const numberText = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Returns a JSON text in which `{"<mark>":"<text of the number>"}` replaces each number that a double would change. */
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

/** Returns the position of the quote that ends the string which begins at `start`. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === 0x5c) at += 1
    else if (code === 0x22) return at
  }
  return json.length
}
