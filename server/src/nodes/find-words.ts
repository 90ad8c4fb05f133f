// In charge of finding words and parts in a text: words with the same results as regular expressions with the flags `iu`, parts with
// the same results as `includes` and `split`. Each search takes linear time, whatever the input.

/** A word to search for. `closedLeft`, `closedRight`: there must be no letter or digit next to this side of a match. */
export type Pattern = { tokens: Int32Array; closedLeft: boolean; closedRight: boolean }

/**
 * A text as one number (token) for each character. Characters that differ only in case have the same token; consecutive blanks
 * are one token. `isLetter`: for each token, 1 if it is a letter or digit. `hasGap`: whether the text has a position with no letter
 * or digit on either side; an empty pattern matches there.
 */
export type Tokens = { tokens: Int32Array; isLetter: Uint8Array; hasGap: boolean }

const blank = -1

/**
 * Parses a word or phrase. Its pattern matches only whole words, but a star at the beginning or end stands for the rest of a longer
 * word. Letters may be of any script.
 */
export function patternOf(word: string): Pattern {
  const [, before = '', plain = '', after = ''] = /^(\*?)(.*?)(\*?)$/s.exec(word.trim()) ?? []
  return { tokens: tokensOf(plain).tokens, closedLeft: before === '', closedRight: after === '' }
}

export function tokensOf(text: string): Tokens {
  const tokens: number[] = []
  const isLetter: number[] = []
  let [hasGap, before] = [false, 0]
  for (const character of text) {
    const known = characterOf(character)
    hasGap ||= !before && !known.isLetter
    before = known.isLetter
    if (known.token === blank && tokens.at(-1) === blank) continue
    tokens.push(known.token)
    isLetter.push(known.isLetter)
  }
  return { tokens: Int32Array.from(tokens), isLetter: Uint8Array.from(isLetter), hasGap: hasGap || !before }
}

export function hasPattern({ tokens, isLetter, hasGap }: Tokens, pattern: Pattern): boolean {
  const { tokens: wanted, closedLeft, closedRight } = pattern
  if (wanted.length === 0) return hasGap || !(closedLeft && closedRight)
  return hasRun(tokens, wanted, (start, end) => {
    return !((closedLeft && isLetter[start - 1]) || (closedRight && isLetter[end]))
  })
}

/**
 * Whether the searches of JavaScript itself are quick enough. At worst they compare each character of the text with each one of the
 * part, so a search with more comparisons than this uses the algorithm of this file.
 */
const isQuick = (text: string, part: string): boolean => text.length * part.length <= 1_000_000

/** Whether the text contains the part: the same result as `text.includes(part)`, but always in linear time. */
export function hasPart(text: string, part: string): boolean {
  if (isQuick(text, part)) return text.includes(part)
  return part.length <= text.length && hasRun(unitsOf(text), unitsOf(part), () => true)
}

/** The text between the occurrences of the part: the same result as `text.split(part)`, but always in linear time. */
export function splitAt(text: string, part: string): string[] {
  if (isQuick(text, part)) return text.split(part)
  const pieces: string[] = []
  let begin = 0
  for (const start of startsOf(text, part)) {
    if (start < begin) continue
    pieces.push(text.slice(begin, start))
    begin = start + part.length
  }
  pieces.push(text.slice(begin))
  return pieces
}

/** The text before and after the first or the last occurrence of the part, in linear time; null if there is none. */
export function cutAt(text: string, part: string, which: 'first' | 'last'): [before: string, after: string] | null {
  const start = isQuick(text, part)
    ? which === 'first'
      ? text.indexOf(part)
      : text.lastIndexOf(part)
    : (startsOf(text, part).at(which === 'first' ? 0 : -1) ?? -1)
  return start < 0 ? null : [text.slice(0, start), text.slice(start + part.length)]
}

/** Where the occurrences of the part begin, in ascending order; they may overlap. */
function startsOf(text: string, part: string): number[] {
  const starts: number[] = []
  if (part.length > text.length) return starts
  hasRun(unitsOf(text), unitsOf(part), (start) => {
    starts.push(start)
    return false
  })
  return starts
}

/**
 * Whether `wanted` occurs in `text` without gaps, in linear time (algorithm of Knuth, Morris and Pratt). Only occurrences count for
 * which `accepts` returns true.
 */
function hasRun(text: Int32Array, wanted: Int32Array, accepts: (start: number, end: number) => boolean): boolean {
  const borders = bordersOf(wanted)
  if (wanted.length === 0) return true
  let matched = 0
  for (let at = 0; at < text.length; at++) {
    if (matched === wanted.length) matched = borders[matched] ?? 0
    while (matched > 0 && text[at] !== wanted[matched]) matched = borders[matched] ?? 0
    if (text[at] === wanted[matched]) matched++
    if (matched === wanted.length && accepts(at + 1 - matched, at + 1)) return true
  }
  return false
}

/** For each prefix length: the length of the longest shorter prefix that is also a suffix of that prefix. */
function bordersOf(wanted: Int32Array): Int32Array {
  const borders = new Int32Array(wanted.length + 1)
  let border = 0
  for (let at = 1; at < wanted.length; at++) {
    while (border > 0 && wanted[at] !== wanted[border]) border = borders[border] ?? 0
    if (wanted[at] === wanted[border]) border++
    borders[at + 1] = border
  }
  return borders
}

function unitsOf(text: string): Int32Array {
  const units = new Int32Array(text.length)
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at)
  return units
}

type Character = { token: number; isLetter: 0 | 1 }
const characters = new Map<string, Character>()

function characterOf(character: string): Character {
  const known = characters.get(character)
  if (known) return known
  const made: Character = {
    token: /\s/.test(character) ? blank : (foldCase(character).codePointAt(0) ?? 0),
    // The flag `i` changes the result: with it, a combining mark that folds to a letter also matches `\p{L}`.
    isLetter: /^[\p{L}\p{N}]$/iu.test(character) ? 1 : 0,
  }
  if (characters.size < 20_000) characters.set(character, made)
  return made
}

/** Characters that Unicode's simple case folding maps to a character that is neither their upper nor their lower case. */
const oddFolds = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

/**
 * Returns the same character for all characters that a regular expression with the flags `iu` treats as equal: one of them. A test
 * checks this for every character.
 */
export function foldCase(character: string): string {
  const upper = single(character.toUpperCase(), character)
  const folded = single(upper.toLowerCase(), upper)
  const isEqual = folded === character || new RegExp(`^${folded}$`, 'iu').test(character)
  return oddFolds.get(character) ?? (isEqual ? folded : character)
}

const single = (text: string, otherwise: string): string => ([...text].length === 1 ? text : otherwise)
