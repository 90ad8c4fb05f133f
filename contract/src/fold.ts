// In charge of text functions whose results must not depend on the database: case folding for search, and initials.

/**
 * Returns the form of a text that search compares. Texts that differ only in case or in normalisation get the same form. Folding
 * is done here for columns and search terms alike, because the two databases do not lower-case in the same way.
 */
export function foldText(text: string): string {
  // The text is upper-cased in between: lower-casing alone would keep ß different from SS, and a final sigma from other sigmas.
  const lower = text.normalize('NFD').toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
  // İ lower-cases to an i with a dot, and ı becomes i through I. The dot is removed, so that all four Turkish letters become i
  // and match each other.
  return lower.replace(/i\p{M}+/gu, (i) => i.replaceAll('\u0307', '')).normalize('NFC')
}

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** The first letters of the first and the last word in upper case; one letter if there is one word, null if the name is blank. */
export function initials(name: string | null): string | null {
  if (name === null) return null
  const words = name.normalize('NFC').split(/\s+/)
  // Punctuation is skipped, as in "Ana 'Nan' Li (she)", unless the name has no letters or digits at all.
  const letters = firstsOf(words, /[\p{L}\p{N}]/u)
  const found = letters.length > 0 ? letters : firstsOf(words, /[\p{P}\p{S}]/u)
  const [first] = found
  if (first === undefined) return null
  return (found.length === 1 ? first : `${first}${found.at(-1)}`).toUpperCase()
}

/** Returns the first grapheme of each word that matches `character`; words without a match are left out. */
function firstsOf(words: readonly string[], character: RegExp): string[] {
  return words.flatMap((word) => {
    const found = [...graphemes.segment(word)].find(({ segment }) => character.test(segment))
    return found ? [found.segment] : []
  })
}
