// Facts about sealing: a sealed text can be opened only with a key of the settings, for the same place, and if it is unchanged.
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSealing } from './sealing.ts'

const [one, other] = [randomBytes(32), randomBytes(32)]
const sealing = createSealing([one])

test('what is sealed opens at its place only, and never reads the same twice', () => {
  const sealed = sealing.seal('sk-secret', 'provider/openai')
  expect(sealing.open(sealed, 'provider/openai')).toBe('sk-secret')
  expect(sealing.open(sealed, 'provider/fal')).toBe(null)
  expect(sealed).not.toContain('secret')
  expect(sealing.seal('sk-secret', 'provider/openai')).not.toBe(sealed)
})

test('a changed letter anywhere, another key, or something else does not open', () => {
  const sealed = sealing.seal('sk-secret', 'a')
  for (let at = 0; at < sealed.length; at++) {
    const changed = `${sealed.slice(0, at)}${sealed[at] === 'A' ? 'B' : 'A'}${sealed.slice(at + 1)}`
    const bytes = (text: string) => Buffer.from(text.split('.')[2] ?? '', 'base64url')
    // The last base64 letter also contains unused bits, so changing that letter may leave the bytes the same.
    const isSame = at > sealed.lastIndexOf('.') && bytes(changed).equals(bytes(sealed))
    expect(sealing.open(changed, 'a')).toBe(isSame ? 'sk-secret' : null)
  }
  expect(createSealing([other]).open(sealed, 'a')).toBe(null)
  for (const text of ['', 'sk-secret', '1..', `1.${sealed.split('.')[1]}.`]) expect(sealing.open(text, 'a')).toBe(null)
})

test('after a change of keys the former one still opens, and the new one seals', () => {
  const sealed = sealing.seal('sk-secret', 'a')
  const both = createSealing([other, one])
  expect(both.open(sealed, 'a')).toBe('sk-secret')
  expect([both.isOutdated(sealed), sealing.isOutdated(sealed)]).toEqual([true, false])
  expect(both.isOutdated(both.seal('sk-secret', 'a'))).toBe(false)
})

test('without a key nothing is sealed', () => {
  expect(createSealing([]).canSeal).toBe(false)
  expect(() => createSealing([]).seal('a', 'b')).toThrow('no key')
})
