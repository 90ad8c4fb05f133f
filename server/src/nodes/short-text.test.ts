// Facts about the texts that errors and messages of nodes become.
import { expect, test } from 'vitest'
import { mostCodePoints, shortText } from './short-text.ts'

test('a short text stays as it is', () => {
  expect(shortText('Ice cold. 😀')).toBe('Ice cold. 😀')
  expect(shortText('😀'.repeat(mostCodePoints))).toBe('😀'.repeat(mostCodePoints))
})

test('a long text is cut between characters, and ends with an ellipsis', () => {
  expect(shortText('x'.repeat(mostCodePoints + 1))).toBe(`${'x'.repeat(mostCodePoints - 1)}…`)
  expect(shortText(`x${'😀'.repeat(3_000_000)}`)).toBe(`x${'😀'.repeat(mostCodePoints - 2)}…`)
})

test('NUL and lone surrogates, which no database takes, become the replacement character', () => {
  expect(shortText('a\0b')).toBe('a\ufffdb')
  expect(shortText('a\ud83d')).toBe('a\ufffd')
})
