// In charge of processing text in the same way for every database: case folding for search, and initials.

/**
 * The form in which search compares texts: equal for texts that differ only in case or normalisation, and idempotent. Both
 * the column and the search term are folded here, because the two databases lower-case differently.
 */
export function foldText(text: string): string {
  // Upper case first: lower-casing alone would distinguish ß from SS, and a final sigma from other sigmas.
  const lower = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  // İ lower-cases to an i with a dot, ı becomes i through I: all four Turkish letters become i, so that each matches the
  // others.
  return lower.replace(/i\p{M}+/gu, (i) => i.replaceAll('\u0307', '')).normalize('NFC')
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** First letters of the first and the last word, upper-cased; one letter for a single word, null for a blank name. */
export function initials(name: string | null): string | null {
  if (name === null) return null
  const words = name.normalize('NFC').split(/\s+/)
  // Punctuation is skipped ("Ana 'Nan' Li (she)"), unless the name is made of nothing else.
  const letters = firstsOf(words, /[\p{L}\p{N}]/u)
  const found = letters.length > 0 ? letters : firstsOf(words, /[\p{P}\p{S}]/u)
  const [first] = found
  if (first === undefined) return null
  return (found.length === 1 ? first : `${first}${found.at(-1)}`).toUpperCase()
}

/** For each word, its first grapheme that contains such a character; words without one are left out. */
function firstsOf(words: readonly string[], character: RegExp): string[] {
  return words.flatMap((word) => {
    const found = [...graphemes.segment(word)].find(({ segment }) => character.test(segment))
    return found ? [found.segment] : []
  })
}
