// Facts about the addresses in a person's profile: each is stored whole or not at all.
import { expect, test } from 'vitest'
import { emailOf, pictureOf } from './profile-text.ts'

const ofLength = (beginning: string, length: number) => beginning.padEnd(length, 'x')

test('an address of a picture may have 2,048 characters; of a longer one nothing is kept', () => {
  const longest = ofLength('https://example.com/', 2048)
  expect(pictureOf(longest)).toBe(longest)
  expect(pictureOf(`${longest}x`)).toBeNull()
})

test('an email address may have 255 characters; of a longer one nothing is kept', () => {
  const longest = ofLength('ada@example.com', 255)
  expect(emailOf(` ${longest} `)).toBe(longest)
  expect(emailOf(`${longest}x`)).toBeNull()
})

test('a picture is from https, and an address is one line of text', () => {
  expect(pictureOf('http://example.com/a.png')).toBeNull()
  for (const value of [undefined, null, 7, {}, '', ' ', 'https://a\nb', 'https://a\ud800'])
    expect([emailOf(value), pictureOf(value)]).toEqual([null, null])
})
