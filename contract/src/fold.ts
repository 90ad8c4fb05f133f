// In charge of text functions whose results must not depend on the database: case folding for search, and initials.

/**
 * Returns the form of a text that search compares. Texts that differ only in case or in normalisation get the same form. Stored
 * texts and search terms are both folded here, because PostgreSQL and the embedded PGlite lower-case texts in different ways.
 */
export function foldText(text: string): string {
  // Upper case is applied in between, because only upper case turns ß into SS. The final sigma ς is replaced, because
  // lower-casing writes a sigma differently at the end of a word.
  const lower = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  // İ lower-cases to an i with a dot, and ı becomes i through I. The dot is removed, so that all four Turkish letters become i
  // and match each other.
  return lower.replace(/i\p{M}+/gu, (i) => i.replaceAll('\u0307', '')).normalize('NFC')
}

let segmenter: Intl.Segmenter | undefined
/** Made at the first use, because some browsers do not have it (Firefox before 125), and pages use this file for `foldText` alone. */
const graphemes = (): Intl.Segmenter => {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' })
  return segmenter
}

/** The first letters of a name's first and last word in upper case; only one letter if there is one word, null if none is found. */
export function initials(name: string | null): string | null {
  if (name === null) return null
  const words = name.normalize('NFC').split(/\s+/)
  // Punctuation at the beginning of a word is skipped, as in "Ana (Li)", unless the name has no letters or digits at all.
  const letters = firstsOf(words, /[\p{L}\p{N}]/u)
  const found = letters.length > 0 ? letters : firstsOf(words, /[\p{P}\p{S}]/u)
  const [first] = found
  if (first === undefined) return null
  return (found.length === 1 ? first : `${first}${found.at(-1)}`).toUpperCase()
}

/** Returns the first grapheme of each word that matches `character`; words without a match are left out. */
function firstsOf(words: readonly string[], character: RegExp): string[] {
  return words.flatMap((word) => {
    const found = [...graphemes().segment(word)].find(({ segment }) => character.test(segment))
    return found ? [found.segment] : []
  })
}
