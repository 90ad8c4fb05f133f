// Facts about errors of films and sounds: which of them are about the file, and how long a page waits before it loads again.
import { expect, test } from 'vitest'
import { isOfFile, reloadAfterMs } from './media-errors.ts'

const [aborted, network, decode, notSupported] = [1, 2, 3, 4]

test('only what cannot be decoded or is not supported is an error of the file', () => {
  expect([aborted, network, decode, notSupported, undefined].map((code) => isOfFile(code, false))).toEqual([
    false,
    false,
    true,
    true,
    false,
  ])
})

test('a file that was loaded before is supported, whatever the browser says of its address', () => {
  expect(isOfFile(notSupported, true)).toBe(false)
  expect(isOfFile(decode, true)).toBe(true)
})

test('a page waits longer after each attempt that failed, and never longer than half a minute', () => {
  expect([0, 1, 2, 7, 40, 2000].map(reloadAfterMs)).toEqual([250, 500, 1000, 30_000, 30_000, 30_000])
})
