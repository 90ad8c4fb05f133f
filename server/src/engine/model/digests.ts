// In charge of writing values as texts to compare them: two values that differ only in the names of their files get the same
// text. Long texts can be replaced by their hashes.
import { isFileValue } from '@atelier/contract/graph/definition.ts'
import { canonicalJson, sha256Hex } from '../../platform/canonical-json.ts'
import { jsonSize } from './json-size.ts'
import { turn } from './turns.ts'
import { withoutFileNames } from './units.ts'

/** Texts with more characters than this are replaced by their hash. */
const shortLength = 4096
const remembered = 64

const shortTexts = new WeakMap<object, string>()
const longStrings = new Map<string, string>()
const mostStrings = 100

/**
 * The canonical JSON of a value, with only the digest of each file. The text of a long part is replaced by `#` and its hash
 * (no JSON begins with `#`, so this cannot be taken for the text of another part). The text of a long object is computed only
 * once, however often the object occurs.
 */
export function shortText(value: unknown): string {
  if (typeof value === 'string') return shortString(value)
  if (typeof value !== 'object' || value === null) return canonicalJson(value ?? null)
  if (isFileValue(value)) return `{"file":"${value.digest}"}`
  const known = shortTexts.get(value)
  if (known !== undefined) return known
  const text = Array.isArray(value) ? `[${value.map(shortText).join(',')}]` : objectText(value, shortText)
  const short = shorten(text)
  if (text.length > remembered) shortTexts.set(value, short)
  return short
}

const shorten = (text: string): string => (text.length > shortLength ? `#${sha256Hex(text)}` : text)

function shortString(value: string): string {
  if (value.length <= shortLength) return shorten(canonicalJson(value))
  const known = longStrings.get(value)
  if (known !== undefined) return known
  const short = shorten(canonicalJson(value))
  longStrings.set(value, short)
  for (const oldest of longStrings.keys()) {
    if (longStrings.size <= mostStrings) break
    longStrings.delete(oldest)
  }
  return short
}

/** The JSON text of an object with its members in canonical order; `textOf` writes the value of a member. */
export function objectText(value: object, textOf: (member: unknown) => string): string {
  const members = membersOf(value).map(([name, member]) => `${canonicalJson(name)}:${textOf(member)}`)
  return `{${members.join(',')}}`
}

/** The members of an object that appear in its JSON, in canonical order. */
export const membersOf = (value: object): [string, unknown][] =>
  Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

/** A value whose JSON has more bytes than this is written in pieces. */
const pieceBytes = 64 * 1024

/** The canonical JSON of a value, with only the digest of each file, in pieces that each take little time to write. */
function* pieces(value: unknown): Generator<string> {
  if (jsonSize(value) <= pieceBytes || typeof value !== 'object' || value === null || isFileValue(value)) {
    yield canonicalJson(withoutFileNames(value ?? null))
  } else if (Array.isArray(value)) {
    let before = '['
    for (const element of value) {
      yield before
      yield* pieces(element)
      before = ','
    }
    yield ']'
  } else {
    let before = '{'
    for (const [name, member] of membersOf(value)) {
      yield `${before}${canonicalJson(name)}:`
      yield* pieces(member)
      before = ','
    }
    yield '}'
  }
}

/** The most recently used texts, by value. They are kept because the items of a node often share a large value. */
const wholeTexts = new Map<object, { text: Promise<Buffer>; size: number }>()
const cachedFrom = 2048
const cachedBytes = 32 * 1024 * 1024
let cached = 0

/**
 * The canonical JSON of a value, with only the digest of each file. If the text is long, a promise for its bytes, which are
 * computed in pieces so that other work can be done in between.
 */
export function wholeText(value: unknown): Promise<Buffer> | string {
  const size = jsonSize(value)
  if (size <= cachedFrom || typeof value !== 'object' || value === null)
    return canonicalJson(withoutFileNames(value ?? null))
  const known = wholeTexts.get(value)
  const entry = known ?? { text: written(value), size }
  wholeTexts.delete(value)
  wholeTexts.set(value, entry) // moves the entry to the end, where the most recently used entries are
  if (known) return entry.text
  cached += size
  for (const [oldest, one] of wholeTexts) {
    if (cached <= cachedBytes || oldest === value) break
    wholeTexts.delete(oldest)
    cached -= one.size
  }
  return entry.text
}

async function written(value: object): Promise<Buffer> {
  const texts: Buffer[] = []
  let since = 0
  for (const piece of pieces(value)) {
    texts.push(Buffer.from(piece))
    since += piece.length
    if (since < pieceBytes) continue
    since = 0
    await turn()
  }
  return Buffer.concat(texts)
}
