// In charge of the two readings of text that must not depend on a database: case folding for search, and initials.

/**
 * The form in which search compares: equal for texts that differ only in case or normalisation. Folding again changes nothing.
 * Both the column and the term are folded here, because the two databases lower-case differently.
 */
export function foldText(text: string): string {
  // Up, then down: lower case alone keeps ß apart from SS, and the sigma that ends a word apart from the others.
  const lower = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  // İ lower-cases to an i with a dot, ı goes through I: all four Turkish letters become i, so that each finds the others.
  return lower.replace(/i\p{M}+/gu, (i) => i.replaceAll('\u0307', '')).normalize('NFC')
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** First letters of the first and the last word, upper-cased; one word gives one letter, a blank name null. */
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

/** Of each word that has one, the first grapheme with such a character. */
function firstsOf(words: readonly string[], character: RegExp): string[] {
  return words.flatMap((word) => {
    const found = [...graphemes.segment(word)].find(({ segment }) => character.test(segment))
    return found ? [found.segment] : []
  })
}
