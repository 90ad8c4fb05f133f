// Facts about page cursors: a cursor is valid only for the list that it was made for.
import { createHmac, randomBytes } from 'node:crypto'
import { Invalid } from '@atelier/contract/wire/errors.ts'
import { expect, test } from 'vitest'
import { createCursors, hmacSha256 } from './cursor.ts'

test('a cursor tells its list where it stands, and is refused by every other list and once it is altered', () => {
  const cursors = createCursors(randomBytes(32))
  const position = { key: '2026-01-01 00:00:00+00\nü', id: '01a1fbd7-0f7c-7172-8340-0deeab669cc3' }
  const cursor = cursors.write('one', position)
  expect(cursors.read('one', cursor)).toEqual(position)
  const payload = JSON.stringify([position.id, position.key])
  for (const scope of ['', 'two', 'one\n', `${payload}\none`])
    expect(() => cursors.read(scope, cursor)).toThrow(Invalid)
  for (let at = 0; at < cursor.length; at++) {
    const altered = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
    expect(() => cursors.read('one', altered)).toThrow(Invalid)
  }
  expect(() => createCursors(randomBytes(32)).read('one', cursor)).toThrow(Invalid)
})

test('signatures are those of Node’s own HMAC, for keys up to a block and texts of any length', () => {
  for (const keyBytes of [0, 1, 32, 64]) {
    const key = randomBytes(keyBytes)
    const mac = hmacSha256(key)
    for (const text of ['', 'a', 'ж\n', 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(10_000)]) {
      expect(mac(text)).toEqual(createHmac('sha256', key).update(text).digest())
    }
  }
  expect(() => hmacSha256(randomBytes(65))).toThrow('65 bytes')
})
