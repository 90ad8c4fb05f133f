// In charge of finding the position at which a text stops being JSON. The position and the message are those of Python's parser.

export type SyntaxFault = { at: number; error: string }

/** The deepest level to which lists and objects may be nested. */
export const maxDepth = 100

/**
 * Returns the first position at which a text is not JSON or is nested too deeply; null if there is none. V8's own messages are not
 * used, because they change between versions and most of them have no position. `at` is an index into the string. The function does
 * not recurse, so each level of nesting needs only one list entry.
 */
export function findSyntaxFault(text: string): SyntaxFault | null {
  const open: ('{' | '[')[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const begun = beginValue(text, at, open)
    if (typeof begun !== 'number') return begun
    at = begun
    if (at < 0) {
      at = ~at
      continue
    }
    const next = endValues(text, at, open)
    if (next === null || typeof next !== 'number') return next
    at = next
  }
}

/**
 * Reads a scalar or an empty container and returns its end; enters any other container and returns the bitwise complement of the
 * position of the first value inside.
 */
function beginValue(text: string, at: number, open: ('{' | '[')[]): number | SyntaxFault {
  const opening = text[at]
  if (opening === '"') return readString(text, at)
  if (opening !== '{' && opening !== '[') return readWord(text, at)
  if (open.length === maxDepth) return { at, error: `nested too deeply (more than ${maxDepth} levels)` }
  const inner = skipSpace(text, at + 1)
  if (text[inner] === closingOf(opening)) return inner + 1
  open.push(opening)
  const first = opening === '{' ? readName(text, inner) : inner
  return typeof first === 'number' ? ~first : first
}

/** Closes the containers that end after a value. Returns the start of the next value; null if the text ends here. */
function endValues(text: string, from: number, open: ('{' | '[')[]): number | SyntaxFault | null {
  let at = skipSpace(text, from)
  let container = open.at(-1)
  while (container !== undefined && text[at] === closingOf(container)) {
    open.pop()
    container = open.at(-1)
    at = skipSpace(text, at + 1)
  }
  if (container === undefined) return at === text.length ? null : { at, error: 'Extra data' }
  if (text[at] !== ',') return { at, error: "Expecting ',' delimiter" }
  at = skipSpace(text, at + 1)
  return container === '{' ? readName(text, at) : at
}

function closingOf(opening: '{' | '['): string {
  return opening === '{' ? '}' : ']'
}

/** Reads a member's name and the colon after it; returns the position at which the member's value begins. */
function readName(text: string, at: number): number | SyntaxFault {
  if (text[at] !== '"') return { at, error: 'Expecting property name enclosed in double quotes' }
  const end = readString(text, at)
  if (typeof end !== 'number') return end
  const colon = skipSpace(text, end)
  if (text[colon] !== ':') return { at: colon, error: "Expecting ':' delimiter" }
  return skipSpace(text, colon + 1)
}

function readString(text: string, from: number): number | SyntaxFault {
  let at = from + 1
  for (;;) {
    const unit = text.charCodeAt(at)
    if (at >= text.length) return { at: from, error: 'Unterminated string starting at' }
    if (unit === quote) return at + 1
    if (unit < 0x20) return { at, error: 'Invalid control character at' }
    if (unit !== backslash) at += 1
    else {
      const end = readEscape(text, at, from)
      if (typeof end !== 'number') return end
      at = end
    }
  }
}

const quote = 0x22
const backslash = 0x5c

function readEscape(text: string, at: number, stringAt: number): number | SyntaxFault {
  const kind = text[at + 1]
  if (kind === undefined) return { at: stringAt, error: 'Unterminated string starting at' }
  if (kind !== 'u') return '"\\/bfnrt'.includes(kind) ? at + 2 : { at, error: 'Invalid \\escape' }
  const digits = text.slice(at + 2, at + 6)
  // Python's parser requires at least one more character after the digits.
  const isWhole = /^[0-9a-fA-F]{4}$/.test(digits) && at + 6 < text.length
  return isWhole ? at + 6 : { at: at + 1, error: 'Invalid \\uXXXX escape' }
}

const word = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function readWord(text: string, at: number): number | SyntaxFault {
  word.lastIndex = at
  return word.test(text) ? word.lastIndex : { at, error: 'Expecting value' }
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at
    at += 1
  }
}
