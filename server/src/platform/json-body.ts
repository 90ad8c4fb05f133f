// In charge of parsing request bodies and query strings, and of refusing dangerous values in them.
import { isUtf8 } from 'node:buffer'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { type ErrorWords, errorAt, notFinite, valueError } from '@atelier/contract/wire/validation-errors.ts'
import { type ErrorList, errorList, type Loc } from './error-list.ts'
import { isLarge, type Place, type ReadNumbers, readLarge } from './exact-numbers.ts'
import { findSyntaxFault, maxDepth } from './json-syntax.ts'
import { hasTooManyValues, mostValues } from './json-values.ts'

/** The most characters of a member's name, which each error inside the member repeats. All declared names are far shorter. */
const longestName = 1000
const mostParameters = 100

/**
 * Parses a JSON body; its value is undefined if it is empty. Throws `Invalid` if the body is not JSON in UTF-8, is nested deeper
 * than 100 levels, has more than `mostValues` values, or contains something that the database or a double cannot store: NUL, lone
 * surrogates, or a number that is not finite. Numbers that would be rounded are returned in `inexact` instead of being refused,
 * because a check against the schema may find more precise errors for them.
 */
export function readJsonBody(bytes: Buffer): ReadNumbers {
  if (bytes.length === 0) return { value: undefined, inexact: [] }
  requireUtf8(bytes)
  if (hasTooManyValues(bytes)) {
    const words = `a body may have at most ${mostValues} values: texts, numbers, objects and lists, counted together`
    throw new Invalid([errorAt(['body'], valueError(words), null)])
  }
  const text = decoded(bytes)
  const inspection: Inspection = { hasEscapes: text.includes('\\u'), hasLarge: false, found: errorList() }
  const value = parse(text)
  if (!inspect(value, inspection)) throw syntaxError(text)
  if (inspection.found.entries.length > 0) throw new Invalid(inspection.found.entries)
  return inspection.hasLarge ? readLarge(text, 'body') : { value, inexact: [] }
}

/**
 * Parses a message of somebody whom this service trusts and who sends the same bytes again when they are refused; its value is
 * undefined if it is empty. Throws `Invalid` only if the message is not JSON in UTF-8. Texts may be unfit to be stored, members may
 * have any name and be nested at any depth, and numbers are rounded: so the caller must check whatever it reads.
 */
export function readTrustedJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  requireUtf8(bytes)
  return parse(decoded(bytes))
}

/** Returns an error for each number that would be rounded, unless the number or a value around it has another error. */
export function inexactErrors(inexact: ReadNumbers['inexact'], others: readonly ValidationError[]): ValidationError[] {
  const found = errorList()
  const isRefused = refusedPlaces(others)
  for (const { place, number } of inexact) {
    if (found.isFull()) break
    if (isRefused(place)) continue
    const words =
      Math.abs(number.nearest) < 1e21
        ? `this number would become ${number.nearest}: send that, or the digits as a text`
        : 'a number as large as this is kept as a text only: send its digits as one'
    found.add(valueError(words), locOf(place), number)
  }
  return found.entries
}

/** The errors at one place of a body and inside it. `isWhole`: an error is about the place itself, and so about all inside it. */
type Refused = { isWhole: boolean; readonly inside: Map<string | number, Refused> }

/**
 * Returns a function that says whether a place, or a value around it, has one of these errors. The answer for each container is kept,
 * so that many places in the same deep container take no more time than as many at the root.
 */
function refusedPlaces(errors: readonly ValidationError[]): (place: Place) => boolean {
  const root: Refused = { isWhole: false, inside: new Map() }
  for (const { loc } of errors) {
    let at = root
    for (const key of loc) {
      const next = at.inside.get(key) ?? { isWhole: false, inside: new Map() }
      at.inside.set(key, next)
      at = next
    }
    at.isWhole = true
  }
  const known = new Map<Place, Refused | undefined>()
  const refusedAt = (place: Place): Refused | undefined => {
    if (known.has(place)) return known.get(place)
    const around = place.around === null ? root : refusedAt(place.around)
    const found = around?.isWhole ? around : around?.inside.get(place.key)
    known.set(place, found)
    return found
  }
  return (place) => refusedAt(place)?.isWhole ?? false
}

function locOf(place: Place): Loc {
  const loc: (string | number)[] = []
  for (let at: Place | null = place; at !== null; at = at.around) loc.push(at.key)
  return loc.toReversed()
}

/** Returns the reason why a text cannot be stored or searched for; null if it can. */
export function checkText(value: string): 'nul' | 'lone_surrogate' | null {
  if (value.includes('\0')) return 'nul'
  return value.isWellFormed() ? null : 'lone_surrogate'
}

/** The error messages for the results of `checkText`. */
export const unfitText: Readonly<Record<'nul' | 'lone_surrogate', ErrorWords>> = {
  nul: valueError('text may not contain NUL'),
  lone_surrogate: valueError('text may not contain lone surrogates'),
}

/**
 * Parses a raw query string (the part after `?`) into an object without a prototype. If a parameter is repeated, its last value
 * counts. A parameter with invalid text has an error and no value.
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

/** Matches text without encoded characters, which nearly all parameters are. */
const plain = /^[\w.~-]*$/

function decodeText(raw: string): string | ErrorWords {
  if (plain.test(raw)) return raw
  if (/%(?![0-9a-fA-F]{2})/.test(raw)) return valueError('invalid percent-encoding')
  try {
    const text = decodeURIComponent(raw.replaceAll('+', ' '))
    const unfit = checkText(text)
    return unfit === null ? text : unfitText[unfit]
  } catch {
    // Every % is followed by two hexadecimal digits here, so decodeURIComponent failed because the bytes are not valid UTF-8.
    return valueError('invalid UTF-8')
  }
}

function requireUtf8(bytes: Buffer): void {
  if (!isUtf8(bytes)) throw malformed(findInvalidByte(bytes), 'invalid UTF-8')
}

/** Returns the text of bytes in UTF-8, without a byte order mark. */
function decoded(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\ufeff') ? text.slice(1) : text
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

/** Counts the characters before `end` as Python does: a surrogate pair counts as one character. */
function countCharacters(text: string, end: number): number {
  let count = end
  for (let at = 0; at < end; at += 1) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1
  return count
}

/** An object or list around the inspected value; `names` is null for a list, `next` is the index of the next member or item. */
type Level = { container: unknown; names: string[] | null; length: number; next: number }

type Inspection = { hasEscapes: boolean; hasLarge: boolean; found: ErrorList }

/**
 * Reports dangerous parts of a parsed value; returns false if the value is nested too deeply. The function keeps a list of levels
 * instead of recursing, and computes a location only for an error.
 */
function inspect(root: unknown, inspection: Inspection): boolean {
  const levels: Level[] = []
  if (!enter(root, levels)) {
    inspectScalar(root, levels, inspection)
    return true
  }
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    // Once the error list is full, the remaining values cannot change the result.
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

/** Inspects a member's name. Returns false if the whole member is refused, so that its value need not be inspected. */
function inspectName(
  name: string,
  value: unknown,
  levels: readonly Level[],
  { hasEscapes, found }: Inspection,
): boolean {
  if (name === '__proto__') {
    found.add(valueError('a member may not be named `__proto__`'), placeOf(levels), value)
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

/** Returns the position of the first byte that is not UTF-8; searches in large blocks first, and then character by character. */
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

/** Returns the length in bytes of the UTF-8 sequence at a position; 0 if there is no valid sequence. */
function sequenceLength(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0xff
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0
}
