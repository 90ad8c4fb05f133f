// Facts about parsing JSON into values that the database can store.
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import { storableText } from '../short-text.ts'
import { parseStorable } from './storable.ts'

test.for([
  [String.raw`{"a":"x\u0000y"}`, { a: 'x\ufffdy' }],
  [String.raw`["\ud800", {"b\udfff": [1, null, "\u0000"]}]`, ['\ufffd', { 'b\ufffd': [1, null, '\ufffd'] }]],
  [String.raw`"\ud83d\ude00 \u00e9 \\u0000"`, String.raw`😀 é \u0000`],
  ['{"a":1,"b":"é"}', { a: 1, b: 'é' }],
  [
    String.raw`["\uD83D\uDE00\uDE00", "\uD83D\uD83D\uDE00", "\ud83dx\ude00"]`,
    ['😀\ufffd', '\ufffd😀', '\ufffdx\ufffd'],
  ],
  [String.raw`["\\\u0000", "\\\\u0000", "\"\ud800\""]`, ['\\\ufffd', String.raw`\\u0000`, '"\ufffd"']],
  [String.raw`{"\u0000":`, undefined],
  [String.raw`["\U0000", "\u0000"]`, undefined],
  [String.raw`[\u0000]`, undefined],
  ['no JSON', undefined],
] as const)('%s', ([text, value]) => {
  expect(parseStorable(text)).toEqual(value)
})

test('any text is read as one that the database can store', () => {
  const units = fc.constantFrom('\0', '\ud83d', '\ude00', '\udbff', '\\', 'u', '0', 'd', '"', 'é', '😀')
  const text = fc.array(units, { maxLength: 12 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(text, text, (name, value) => {
      const json = JSON.stringify({ [name]: [value] }).replaceAll('\0', String.raw`\u0000`)
      expect(parseStorable(json)).toEqual({ [storableText(name)]: [storableText(value)] })
    }),
  )
})

test('a text with escapes is parsed once, and its values are not gone through', () => {
  // A reviver of JSON.parse is called for each value: a text of many values then took many times as long to read.
  const parse = vi.spyOn(JSON, 'parse')
  onTestFinished(() => parse.mockRestore())
  for (const last of ['A', '\\u0041', '\\u0000', '\\ud83d\\ude00']) parseStorable(`[{},"${last}"]`)
  expect(parse.mock.calls.map((given) => given.length)).toEqual([1, 1, 1, 1])
})
