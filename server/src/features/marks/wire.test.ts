// Facts about which files need a visible label, by all that is known about how they were made.
import { defaultLabelRules } from '@atelier/contract/label-rules.ts'
import { expect, test } from 'vitest'
import type { MarkedRow } from './store.ts'
import { marksToWire, missingOf, missingWords } from './wire.ts'

const rules = defaultLabelRules.filter(({ id }) => id === 'eu')
const row: MarkedRow = {
  ...{ id: 'c', task_id: 't', name: 'Film', file: 'f', geo: 'DE', language: null, answers: {} },
  ...{ made_ai: null, made_source_type: null, drawn: null, source_type: null, now: '2026-11-27T00:00:00.000Z' },
}

test.for([
  ['a video or sound that a model made, which names no source type', { made_ai: 'generated' }, 'not_asked'],
  ['a picture that says so itself', { source_type: 'trainedAlgorithmicMedia' }, 'not_asked'],
  ['a picture for which a model wrote only words', { made_ai: 'assisted' }, undefined],
  ['a file that no model had to do with', { made_ai: 'none' }, undefined],
] as const)('%s: %o', ([, known, because]) => {
  expect(marksToWire(rules, { ...row, ...known }).demands[0]?.because).toBe(because)
})

test('a refusal for a film says what can be done about it', () => {
  const missing = missingOf(rules, { ...row, made_ai: 'generated' }, 'DE')
  expect(missing).toMatchObject([{ creative_id: 'c', rule: 'eu', because: 'not_asked' }])
  expect(missingWords(7, missing)).toContain('say what the file shows, confirm a label that stands on the file')
})

test('whoever says that a film would not pass for real ends the demand', () => {
  const no = { value: false, reason: null, by: { user_id: null, token_id: null, name: null }, at: row.now }
  expect(missingOf(rules, { ...row, made_ai: 'generated', answers: { deepfake: no } }, 'DE')).toEqual([])
})
