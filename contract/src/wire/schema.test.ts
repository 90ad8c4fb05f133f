// Facts about the schema types from which the schemas of all resources are built.
import { Check } from 'typebox/value'
import { expect, test } from 'vitest'
import { Line } from './schema.ts'

const isLine = (text: string): boolean => Check(Line(20), text)

test('no line of text has a control character or a separator of lines', () => {
  const refused = Array.from({ length: 0x3000 }, (_, unit) => String.fromCharCode(unit)).filter(
    (character) => !isLine(`a${character}b`),
  )
  expect(refused.join('')).toMatch(/^[\p{Cc}\p{Zl}\p{Zp}]{67}$/u)
  for (const character of refused) expect(isLine(character), JSON.stringify(character)).toBe(false)
})

test('a line has no blanks at either end, but may have any inside', () => {
  for (const text of [' a', 'a ', '\u00a0a', 'a\ufeff', ' ', '']) expect(isLine(text), JSON.stringify(text)).toBe(false)
  for (const text of ['a', 'a b', 'a\u00a0\u3000b', '👩‍👩‍👧‍👦', 'e\u0301']) expect(isLine(text), text).toBe(true)
})
