// Facts about errors of pictures, films and sounds: which of them are about the file, and how long a page waits before it loads again.
import { expect, test } from 'vitest'
import { causeOf, reloadAfterMs, stepAfter } from './media-errors.ts'

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

test('a file that was not shown but can be had now is loaded once more before the browser is said not to show it', () => {
  expect(stepAfter({ isSent: true, wasDoubted: false })).toBe('once more')
  expect(stepAfter({ isSent: true, wasDoubted: true })).toBe('give up')
  expect([false, true].map((wasDoubted) => stepAfter({ isSent: false, wasDoubted }))).toEqual(['wait', 'wait'])
})
