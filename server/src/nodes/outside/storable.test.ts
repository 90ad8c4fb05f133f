// Facts about parsing JSON into values that the database can store.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { processorMs } from '../../../test/support/processor-time.ts'
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

test('an escape makes a text of many values hardly dearer to read', () => {
  const many = '{},'.repeat(600_000)
  const costOf = (last: string): number => {
    const began = processorMs()
    expect(parseStorable(`[${many}"${last}"]`)).toHaveLength(600_001)
    return processorMs() - began
  }
  // The least of three, in turns: on a busy machine each of them may take several times as long.
  const rounds = [0, 1, 2].map(() => ['A', '\\u0041', '\\u0000', '\\ud83d\\ude00'].map(costOf))
  const [plain = 0, ...escaped] = [0, 1, 2, 3].map((place) => Math.min(...rounds.map((costs) => costs[place] ?? 0)))
  expect(Math.max(...escaped)).toBeLessThan(plain * 3)
})
