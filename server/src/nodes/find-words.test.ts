// Facts about finding words: the search finds the same words as a regular expression, in far fewer steps.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foldCase, hasPart, hasPattern, patternOf, tokensOf } from './find-words.ts'

/** A regular expression that finds what the search must find. The product does not use it: it is slow for some words. */
function expressionOf(word: string): RegExp {
  const [, before = '', plain = '', after = ''] = /^(\*?)(.*?)(\*?)$/s.exec(word.trim()) ?? []
  const escaped = plain.replace(/[*.+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  const [begins, ends] = ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])']
  return new RegExp(`${before ? '' : begins}${escaped}${after ? '' : ends}`, 'iu')
}

const few = fc.constantFrom(
  'a',
  'b',
  'A',
  ' ',
  '\n',
  '\u00a0',
  '*',
  '.',
  '-',
  'é',
  'ß',
  'ẞ',
  'K',
  'K',
  'ſ',
  '1',
  '\u0345',
)
const some = fc.oneof(
  few,
  fc.constantFrom('ι', 'Σ', 'ς', '漢', '😀', '\ud83d', '\ude00', 'İ', 'ı', 'DŽ', '²', 'Ⅷ', '_', '\u0301'),
)

test('what is found is what the regular expression finds', () => {
  for (const [letter, runs] of [
    [few, 1500],
    [some, 1500],
    [fc.constantFrom('a', 'b', ' ', '*'), 2000],
  ] as const) {
    const textOf = (maxLength: number) => fc.array(letter, { maxLength }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(textOf(30), textOf(6), (text, word) => {
        // Skipped: for an empty word, V8 also finds a match in the middle of a surrogate pair, which the search does not.
        if (word.trim() === '' && [...text].length < text.length) return
        expect(hasPattern(tokensOf(text), patternOf(word))).toBe(expressionOf(word).test(text))
      }),
      { numRuns: runs, seed: 20_261_122 },
    )
  }
})

test('every character that a regular expression takes for another one is folded to the same', () => {
  const all = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((one) => one.toLowerCase() !== one || one.toUpperCase() !== one)
  expect(all.length).toBeGreaterThan(2500)
  const joined = all.join('')
  const torn = all.filter((one) => {
    const equal = [...joined.matchAll(new RegExp(one, 'giu'))].map(([found]) => found)
    return new Set(equal.map(foldCase)).size !== 1 || !new RegExp(`^${foldCase(one)}$`, 'iu').test(one)
  })
  expect(torn).toEqual([])
})

test('a part is found as `includes` finds it', () => {
  const text = fc.array(fc.constantFrom('a', 'b', '😀', '\ude00'), { maxLength: 20 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (whole, part) => {
      expect(hasPart(whole, part)).toBe(whole.includes(part))
    }),
    { numRuns: 1000, seed: 20_261_122 },
  )
})
