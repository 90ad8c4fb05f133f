// In charge of collecting validation errors in such a way that even a malicious request cannot cause a large response.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import type { ErrorWords } from '@atelier/contract/wire/validation-errors.ts'
import { InexactNumber } from './exact-numbers.ts'

export type Loc = readonly (string | number)[]

export type ErrorList = {
  entries: ValidationError[]
  /** Whether the list accepts no more errors, so that checking can stop. */
  isFull: () => boolean
  add: (words: ErrorWords, loc: Loc, input: unknown) => void
}

const maxErrors = 1000
/** The most characters of all `loc` and `input` together. Without this limit, 1,000 errors could each repeat a very long path. */
const maxTextOfAll = 1_000_000
const maxBytesOfInput = 2048
const keptCharacters = 200

/** Makes a list that is full after 1,000 errors, or after about a megabyte of paths and echoed input. */
export function errorList(): ErrorList {
  const entries: ValidationError[] = []
  let room = maxTextOfAll
  // If one large object lacks several members, each error echoes that object; so the last serialisation is kept for the next error.
  let last: { input: unknown; echoed: unknown; size: number } = { input: undefined, echoed: null, size: 0 }
  const isFull = () => entries.length >= maxErrors || room <= 0
  const add = (words: ErrorWords, loc: Loc, input: unknown) => {
    if (isFull()) return
    if (input !== last.input) {
      const echoed = echo(input)
      last = { input, echoed, size: serialise(echoed).length }
    }
    const entry: ValidationError = {
      type: words.type,
      loc: loc.map((part) => (typeof part === 'string' && part.length > keptCharacters ? shorten(part) : part)),
      msg: words.msg,
      input: last.echoed,
    }
    if (words.ctx !== undefined) entry.ctx = words.ctx
    for (const part of entry.loc) room -= typeof part === 'string' ? part.length : 1
    room -= last.size
    entries.push(entry)
  }
  return { entries, isFull, add }
}

/**
 * Returns what an error repeats of the value that was refused: a value of up to 2 KB of JSON unchanged, and the first 200
 * characters of a longer one. A missing value becomes null; a number that is not finite becomes text.
 */
export function echo(input: unknown): unknown {
  if (input === undefined) return null
  if (typeof input === 'number' && !Number.isFinite(input)) return String(input)
  if (typeof input !== 'string' && typeof input !== 'object') return input
  const json = serialise(input)
  if (json.length <= maxBytesOfInput && Buffer.byteLength(json) <= maxBytesOfInput) return input
  return shorten(typeof input === 'string' ? input : json)
}

/** Writes a value as JSON and stops soon after 2 KB, so that time and recursion depth are limited for any input. */
function serialise(value: unknown): string {
  let json = ''
  const write = (part: unknown): void => {
    if (json.length > maxBytesOfInput) return
    if (typeof part === 'string') json += JSON.stringify(part.slice(0, maxBytesOfInput))
    else if (part instanceof InexactNumber) json += part.text
    else if (Array.isArray(part)) writeAll('[', part.values(), ']', write)
    else if (typeof part === 'object' && part !== null) writeAll('{', membersOf(part), '}', writeMember)
    else json += JSON.stringify(part) ?? 'null'
  }
  const writeMember = ([name, member]: readonly [string, unknown]): void => {
    write(name)
    json += ':'
    write(member)
  }
  const writeAll = <T>(opening: string, parts: Iterable<T>, closing: string, writePart: (part: T) => void): void => {
    json += opening
    let separator = ''
    for (const part of parts) {
      if (json.length > maxBytesOfInput) return
      json += separator
      writePart(part)
      separator = ','
    }
    json += closing
  }
  write(value)
  return json
}

function* membersOf(value: object): Generator<readonly [string, unknown]> {
  for (const name in value) if (Object.hasOwn(value, name)) yield [name, Reflect.get(value, name)]
}

function shorten(text: string): string {
  const kept = text.slice(0, keptCharacters)
  // A surrogate pair must not be cut in half, because half of it is not valid text.
  return `${kept.isWellFormed() ? kept : kept.slice(0, -1)}…`
}
