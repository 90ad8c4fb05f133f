// Facts about parsing JSON into values that the database can store.
import { expect, test } from 'vitest'
import { parseStorable } from './storable.ts'

test.for([
  [String.raw`{"a":"x\u0000y"}`, { a: 'x\ufffdy' }],
  [String.raw`["\ud800", {"b\udfff": [1, null, "\u0000"]}]`, ['\ufffd', { 'b\ufffd': [1, null, '\ufffd'] }]],
  [String.raw`"\ud83d\ude00 \u00e9 \\u0000"`, String.raw`😀 é \u0000`],
  ['{"a":1,"b":"é"}', { a: 1, b: 'é' }],
  [String.raw`{"\u0000":`, undefined],
  ['no JSON', undefined],
] as const)('%s', ([text, value]) => {
  expect(parseStorable(text)).toEqual(value)
})
