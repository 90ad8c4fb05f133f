// Facts about errors of films and sounds: which of them are about the file, and how long a page waits before it loads again.
import { expect, test } from 'vitest'
import { causeOf, reloadAfterMs } from './media-errors.ts'

const [aborted, network, decode, notSupported] = [1, 2, 3, 4]

test('what cannot be decoded is an error of the file; of what is not supported, that is not known before it was loaded once', () => {
  expect([aborted, network, decode, notSupported, undefined].map((code) => causeOf(code, false))).toEqual([
    'connection',
    'connection',
    'file',
    'unknown',
    'connection',
  ])
})

test('a file that was loaded before is supported, whatever the browser says of its address', () => {
  expect(causeOf(notSupported, true)).toBe('connection')
  expect(causeOf(decode, true)).toBe('file')
})

test('a page waits longer after each attempt that failed, and never longer than half a minute', () => {
  expect([0, 1, 2, 7, 40, 2000].map(reloadAfterMs)).toEqual([250, 500, 1000, 30_000, 30_000, 30_000])
})
