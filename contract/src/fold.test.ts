// Facts about folding text for search, and about making initials from names.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldText, initials } from './fold.ts'

const text = fc.string({ unit: 'binary' })
// Letters with more than two case forms, mixed with plain letters and with the marks that can follow a letter.
const hard = fc.string({
  unit: fc.constantFrom(...'aAiIıİjJsSßẞσΣςkKÅåÅǆǅǄﬁŉǰΐᾳᾼᾴͅéÉ '.split(''), '\u0301', '\u0307', '\u0308', '\u0331'),
})

describe('folding', () => {
  test.each([
    ['Straße', 'STRASSE'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'straße'],
    ['ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['Σίσυφος', 'ΣΊΣΥΦΟΣ'],
    ['İstanbul', 'istanbul'],
    ['İSTANBUL', 'ISTANBUL'],
    ['ılık', 'ILIK'],
    ['Cafe\u0301', 'CAFÉ'],
    ['ﬁt', 'FIT'],
    ['ПРИВЕТ', 'привет'],
    ['Ᏸᏼ', 'ᏰᏴ'],
  ])('%s and %s are the same', (a, b) => {
    expect(foldText(a)).toBe(foldText(b))
  })

  test.each([
    ['resume', 'résumé'],
    ['a', 'b'],
    ['1', '１'],
    ['или', 'йли'],
    ['ïi', 'ii'],
  ])('%s and %s stay apart', (a, b) => {
    expect(foldText(a)).not.toBe(foldText(b))
  })

  test('plain lower-case text is left as it is', () => {
    expect(foldText('sleep better_v2-01 – 100% über')).toBe('sleep better_v2-01 – 100% über')
  })

  test('the end of a word folds like its middle, so that a term matches inside a longer word', () => {
    expect(foldText('ΟΔΟΣΗΜΑ')).toContain(foldText('ΟΔΟΣ'))
  })

  test('folding twice is folding once', () => {
    fc.assert(
      fc.property(fc.oneof(text, hard), (t) => {
        expect(foldText(foldText(t))).toBe(foldText(t))
      }),
    )
  })

  test('upper case, lower case and every normal form fold alike', () => {
    fc.assert(
      fc.property(fc.oneof(text, hard), (t) => {
        // The case is changed only in decomposed form: ᾳ becomes two letters in upper case, and a mark after ᾳ would then be at
        // the second letter.
        const apart = t.normalize('NFD')
        for (const form of [apart, apart.toUpperCase(), apart.toLowerCase(), t.normalize('NFC')]) {
          expect(foldText(form)).toBe(foldText(t))
        }
      }),
    )
  })

  test('every letter folds like its cases, and once and for all', () => {
    const wrong: string[] = []
    for (let code = 0; code <= 0x10ffff; code++) {
      const c = String.fromCodePoint(code)
      if (c.toUpperCase() === c && c.toLowerCase() === c) continue
      const folded = foldText(c)
      const others = [folded, c.toUpperCase(), c.toLowerCase()]
      if (others.some((other) => foldText(other) !== folded)) wrong.push(c)
    }
    expect(wrong).toEqual([])
  })
})

describe('initials', () => {
  test.each([
    ['Ada Lovelace', 'AL'],
    ['ada king lovelace', 'AL'],
    ['Ada', 'A'],
    ['  Jean-Luc \t Picard ', 'JP'],
    ["Ana 'Nan' de Souza (she)", 'AS'],
    ['“Ana” – “Lima”', 'AL'],
    ['e\u0301mile zola', 'ÉZ'],
    ['कृष्ण मूर्ति', 'कृमू'],
    ['李 小龙', '李小'],
    ['7 of 9', '79'],
    ['🦊', '🦊'],
    ['👩‍🎨 Ada', 'A'],
    ['👩‍🎨', '👩‍🎨'],
  ])('%s: %s', (name, expected) => {
    expect(initials(name)).toBe(expected)
  })

  test.each([[null], [''], ['  \u00a0\t'], ['\u200b']])('%j has none', (name) => {
    expect(initials(name)).toBeNull()
  })
})
