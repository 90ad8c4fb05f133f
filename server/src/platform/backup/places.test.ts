// Facts about which of several backups is the newest.
import { expect, test } from 'vitest'
import { newestOf } from './places.ts'
import { stampOf } from './stamps.ts'

const first = 'atelier-2020-11-26T03-00-00.000Z.tar.age'
const second = 'atelier-2020-11-27T03-00-00.000Z'

test('the newest backup is that of the latest moment, whichever form it has', () => {
  expect(newestOf([second, first])).toBe(second)
  expect(newestOf([`${second}.tar`, first])).toBe(`${second}.tar`)
  expect(newestOf([])).toBeUndefined()
})

test.each(['atelier-before-the-move', 'atelier-zz.tar', `${second}-damaged`, `old-${second}`, `${second} (2).tar`])(
  'one that somebody named or renamed is never the newest: %s',
  (renamed) => {
    expect(newestOf([first, renamed])).toBe(first)
    expect(newestOf([renamed])).toBeUndefined()
  },
)

test('one of the future, made while the clock was wrong, is the newest only if there is no other', () => {
  const future = `atelier-${stampOf(new Date(Date.now() + 86_400_000))}`
  expect(newestOf([future, first])).toBe(first)
  expect(newestOf([future])).toBe(future)
})
