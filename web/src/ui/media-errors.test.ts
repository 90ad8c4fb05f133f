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

/** What is done after the first error, and after one that came when the file was loaded once more. */
const both = (delivery: Parameters<typeof stepAfter>[0]['delivery']) =>
  [false, true].map((wasDoubted) => stepAfter({ delivery, wasDoubted }))

test('a file that was not shown but can be had now is loaded once more before the browser is said not to show it', () => {
  expect(both('sent')).toEqual(['once more', 'give up'])
  expect(both('unreached')).toEqual(['wait', 'wait'])
})

test('a picture that can be decoded is never said not to be shown, and a file that is gone is not waited for', () => {
  expect(both('decoded')).toEqual(['once more', 'once more'])
  expect(both('gone')).toEqual(['gone', 'gone'])
})
