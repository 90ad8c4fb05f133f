// In charge of turning the bytes of a body, and the text of a query, into values that hold nothing hostile.
import { isUtf8 } from 'node:buffer'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { type ErrorWords, extraForbidden, notFinite, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { type ErrorList, errorList, type Loc } from './error-list.ts'
import { isLarge, type ReadNumbers, readLarge } from './exact-numbers.ts'
import { findSyntaxFault, maxDepth } from './json-syntax.ts'

/** No member name of ours comes near; a longer one would be repeated in the place of each error within it. */
const longestName = 1000
const mostParameters = 100

/**
 * The value of a JSON body; undefined where it has no bytes. Throws `Invalid` for anything that is not JSON in UTF-8,
 * is nested deeper than 100 levels, or holds what a database or a double cannot: NUL, lone surrogates, numbers that
 * are not finite, or would become other ones.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const { value, inexact } = readJsonBody(bytes)
  if (inexact.length > 0) throw new Invalid(inexactErrors(inexact, []))
  return value
}

/** The same, with numbers that would become other ones in the value: its schema may have something better to say of them. */
export function readJsonBody(bytes: Buffer): ReadNumbers {
  if (bytes.length === 0) return { value: undefined, inexact: [] }
  if (!isUtf8(bytes)) throw malformed(findInvalidByte(bytes), 'invalid UTF-8')
  const decoded = bytes.toString('utf8')
  const text = decoded.startsWith('\ufeff') ? decoded.slice(1) : decoded
  const inspection: Inspection = { hasEscapes: text.includes('\\u'), hasLarge: false, found: errorList() }
  const value = parse(text)
  if (!inspect(value, inspection)) throw syntaxError(text)
  if (inspection.found.entries.length > 0) throw new Invalid(inspection.found.entries)
  return inspection.hasLarge ? readLarge(text, ['body']) : { value, inexact: [] }
}

/** The error for each number that would become another one, but where another error speaks of it, or of what it lies in. */
export function inexactErrors(inexact: ReadNumbers['inexact'], others: readonly ValidationError[]): ValidationError[] {
  const found = errorList()
  const spoken = new Set(others.map(({ loc }) => JSON.stringify(loc)))
  for (const { loc, number } of inexact) {
    if (loc.some((_, at) => spoken.has(JSON.stringify(loc.slice(0, at + 1))))) continue
    const words =
      Math.abs(number.nearest) < 1e21
        ? `this number would become ${number.nearest}: send that, or the digits as a text`
        : 'a number as large as this is kept as a text only: send its digits as one'
    found.add(valueError(words), loc, number)
  }
  return found.entries
}

/** What makes a text unfit to be stored or looked for; null where it is fit. */
export function checkText(value: string): 'nul' | 'lone_surrogate' | null {
  if (value.includes('\0')) return 'nul'
  return value.isWellFormed() ? null : 'lone_surrogate'
}

/** The words for what `checkText` found. */
const unfitText: Readonly<Record<'nul' | 'lone_surrogate', ErrorWords>> = {
  nul: valueError('text may not contain NUL'),
  lone_surrogate: valueError('text may not contain lone surrogates'),
}

/**
 * The parameters of a raw query string (what stands after `?`), in an object without prototype. Of a repeated one the
 * last counts; one whose text is refused has no value, only an error.
 */
export function parseQuery(rawQuery: string): { values: Record<string, string>; errors: ValidationError[] } {
  const values: Record<string, string> = Object.create(null)
  const found = errorList()
  const pairs = rawQuery.split('&').filter((pair) => pair !== '')
  if (pairs.length > mostParameters) {
    found.add(valueError(`at most ${mostParameters} parameters are allowed`), ['query'], rawQuery)
    return { values, errors: found.entries }
  }
  for (const pair of pairs) {
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const rawValue = equals < 0 ? '' : pair.slice(equals + 1)
    const name = decodeText(rawName)
    const value = decodeText(rawValue)
    if (typeof name !== 'string') found.add(name, ['query', rawName], rawName)
    else if (typeof value !== 'string') found.add(value, ['query', name], rawValue)
    else values[name] = value
  }
  return { values, errors: found.entries }
}

/** Text that stands for itself: all of most parameters. */
const plain = /^[\w.~-]*$/

function decodeText(raw: string): string | ErrorWords {
  if (plain.test(raw)) return raw
  if (/%(?![0-9a-fA-F]{2})/.test(raw)) return valueError('invalid percent-encoding')
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' '))
    const unfit = checkText(text)
    return unfit === null ? text : unfitText[unfit]
  } catch {
    // decodeURIComponent has one more reason to throw, now that every % has its digits.
    return valueError('invalid UTF-8')
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw syntaxError(text)
  }
}

function syntaxError(text: string): Invalid {
  const fault = findSyntaxFault(text) ?? { at: 0, error: 'Expecting value' }
  return malformed(countCharacters(text, fault.at), fault.error)
}

function malformed(position: number, error: string): Invalid {
  const loc = ['body', position]
  return new Invalid([{ type: 'json_invalid', loc, msg: 'JSON decode error', input: {}, ctx: { error } }])
}

/** Characters as Python counts them, where a surrogate pair is one. */
function countCharacters(text: string, end: number): number {
  let count = end
  for (let at = 0; at < end; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1
  return count
}

/** A container on the way to the value being looked at. `names` is null for a list. */
type Level = { container: unknown; names: string[] | null; length: number; next: number }

type Inspection = { hasEscapes: boolean; hasLarge: boolean; found: ErrorList }

/**
 * Reports what in a parsed value is hostile; false where it is nested too deeply. It keeps its own list of levels
 * instead of recursing, and builds a place only for an error.
 */
function inspect(root: unknown, inspection: Inspection): boolean {
  const levels: Level[] = []
  if (!enter(root, levels)) {
    inspectScalar(root, levels, inspection)
    return true
  }
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    // Once no error is taken any more, nothing further can change the answer.
    if (inspection.found.isFull()) return true
    if (level.next === level.length) {
      levels.pop()
      continue
    }
    const key = level.names === null ? level.next : (level.names[level.next] ?? '')
    level.next += 1
    const value: unknown = Reflect.get(Object(level.container), key)
    if (typeof key === 'string' && !inspectName(key, value, levels, inspection)) continue
    if (!enter(value, levels)) inspectScalar(value, levels, inspection)
    else if (levels.length > maxDepth) return false
  }
  return true
}

function enter(value: unknown, levels: Level[]): boolean {
  if (typeof value !== 'object' || value === null) return false
  const names = Array.isArray(value) ? null : Object.keys(value)
  const length = Array.isArray(value) ? value.length : (names?.length ?? 0)
  levels.push({ container: value, names, length, next: 0 })
  return true
}

/** False where the member is refused as a whole. */
function inspectName(
  name: string,
  value: unknown,
  levels: readonly Level[],
  { hasEscapes, found }: Inspection,
): boolean {
  if (name === '__proto__') {
    found.add(extraForbidden, placeOf(levels), value)
    return false
  }
  if (name.length > longestName) {
    found.add(valueError(`a member name may have at most ${longestName} characters`), placeOf(levels), name)
  } else if (hasEscapes) inspectText(name, levels, found)
  return true
}

function inspectScalar(value: unknown, levels: readonly Level[], inspection: Inspection): void {
  const { hasEscapes, found } = inspection
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) found.add(notFinite, placeOf(levels), value)
    else if (isLarge(value)) inspection.hasLarge = true
  } else if (hasEscapes && typeof value === 'string') inspectText(value, levels, found)
}

function inspectText(text: string, levels: readonly Level[], found: ErrorList): void {
  const unfit = checkText(text)
  if (unfit !== null) found.add(unfitText[unfit], placeOf(levels), text)
}

function placeOf(levels: readonly Level[]): Loc {
  return ['body', ...levels.map(({ names, next }) => (names === null ? next - 1 : (names[next - 1] ?? '')))]
}

/** The first byte of the first sequence that is not UTF-8: by blocks first, then by characters. */
function findInvalidByte(bytes: Buffer): number {
  let at = 0
  for (;;) {
    let end = Math.min(at + 4096, bytes.length)
    while (end < bytes.length && isContinuation(bytes[end])) end -= 1
    if (end <= at || !isUtf8(bytes.subarray(at, end))) break
    at = end
  }
  for (let length = sequenceLength(bytes, at); length > 0; length = sequenceLength(bytes, at)) at += length
  return at
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Bytes of the UTF-8 sequence at a place; 0 where there is none. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0xff
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
