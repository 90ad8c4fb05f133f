// In charge of finding many words in a text in linear time, as a regular expression (flags `iu`) would find them: no
// input makes the search take more steps than the text is long, for each word.

/** What a word looks like as it is searched for. A closed end must not stand in the middle of a longer word. */
export type Pattern = { tokens: Int32Array; closedLeft: boolean; closedRight: boolean }

/**
 * Characters of a text as numbers that are equal where the characters are, in any case; blanks in a row are one token.
 * `hasGap`: there is a place with a letter on neither side of it, which is where a word of nothing but blanks stands.
 */
export type Tokens = { tokens: Int32Array; isLetter: Uint8Array; hasGap: boolean }

const blank = -1

/** A whole word or phrase; a star before or after it stands for the rest of a word. Letters of any script are letters. */
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

/** Whether the text holds the part, both as they are: `includes`, with the same bound in steps. */
export const hasPart = (text: string, part: string): boolean => hasRun(unitsOf(text), unitsOf(part), () => true)

/** Knuth, Morris and Pratt: a mismatch never goes back in the text. `accepts` judges each place where the run stands. */
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

/** For each length of a beginning of the run: the longest shorter beginning that it also ends with. */
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
    // With the flag `i`, too, as a mark that folds to a letter counts as one.
    isLetter: /^[\p{L}\p{N}]$/iu.test(character) ? 1 : 0,
  }
  if (characters.size < 20_000) characters.set(character, made)
  return made
}

/** Characters that fold to another one by Unicode's simple folding, without being that one's upper or lower case. */
const oddFolds = new Map([
  ['\u1fd3', '\u0390'],
  ['\u1fe3', '\u03b0'],
  ['\ufb05', '\ufb06'],
])

/** The same character for all that a regular expression with the flags `iu` takes for equal; a test compares them all. */
export function foldCase(character: string): string {
  const upper = single(character.toUpperCase(), character)
  const folded = single(upper.toLowerCase(), upper)
  const isEqual = folded === character || new RegExp(`^${folded}$`, 'iu').test(character)
  return oddFolds.get(character) ?? (isEqual ? folded : character)
}

const single = (text: string, otherwise: string): string => ([...text].length === 1 ? text : otherwise)
