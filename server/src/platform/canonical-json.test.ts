// Facts about canonical JSON: two equal values have the same text and the same hash, whatever the order of their members.
import { describe, expect, test } from 'vitest'
import { signatureOf } from '../engine/model/signature.ts'
import { canonicalJson, sha256Hex } from './canonical-json.ts'

describe('the text', () => {
  test.each<[unknown, string]>([
    [{ b: 1, a: [true, null, 'x'] }, '{"a":[true,null,"x"],"b":1}'],
    [{ '\u20ac': 1, '\ud83d\ude00': 2, '\ufb33': 3, 1: 4 }, '{"1":4,"\u20ac":1,"\ud83d\ude00":2,"\ufb33":3}'],
    [[1e30, 4.5, 2e-3, 1e-27, -0, 333333333.3333333], '[1e+30,4.5,0.002,1e-27,0,333333333.3333333]'],
    ['\u20ac$\u000f\nA\'B"\\/', '"\u20ac$\\u000f\\nA\'B\\"\\\\/"'],
    [{ a: undefined, b: {} }, '{"b":{}}'],
  ])('%j', (value, text) => {
    expect(canonicalJson(value)).toBe(text)
  })

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, '\ud800', () => 1])('there is none of %s', (value) => {
    expect(() => canonicalJson(value)).toThrow(/./)
  })
})

test('a hash is of the bytes, 64 hexadecimal digits', () => {
  expect(sha256Hex('')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  expect(sha256Hex('é')).toBe(sha256Hex(new TextEncoder().encode('é')))
})

test('a signature holds for a definition in any order of its members, and for no other', () => {
  const definition = { schema: 1, nodes: { a: { type: 'x' }, b: {} }, edges: [1, 2] }
  const same = { edges: [1, 2], nodes: { b: {}, a: { type: 'x' } }, schema: 1 }
  expect(signatureOf(same)).toBe(signatureOf(definition))
  expect(signatureOf({ ...definition, edges: [2, 1] })).not.toBe(signatureOf(definition))
})
