// Facts about which answers a run shows, and under which keys.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { definitionOf } from '../../../test/support/definitions.ts'
import { answersForDisplay } from './answers-for-display.ts'

const given = (node: string, item: string, position: number | null, answer: unknown, minute = 1) => ({
  ...{ node, item, position, answer },
  at: `2026-01-01T00:0${minute}:00.000Z`,
})
const unit = (
  node: string,
  item: string,
  position: number | null,
  status: 'succeeded' | 'awaiting_input' | 'pending',
) => ({
  ...{ node, item, position, status },
})

const gates = readDefinition(
  definitionOf({ ok: { type: 'gate.approve' }, each: { type: 'gate.edit', each: ['value'] } }),
)
const shown = (
  ...[answers, units]: [Parameters<typeof answersForDisplay>[0], Parameters<typeof answersForDisplay>[1]]
) => answersForDisplay(answers, units, gates)

test('an answer is shown by its node, or by where its item is now', () => {
  const units = [unit('ok', '', null, 'succeeded'), unit('each', 'a', 4, 'succeeded')]
  expect(shown([given('ok', '', null, 1), given('each', 'a', 2, 2)], units)).toEqual({ ok: 1, 'each/4': 2 })
})

test('an answer to what is asked again is not shown, until it is given anew', () => {
  expect(shown([given('ok', '', null, 1)], [unit('ok', '', null, 'awaiting_input')])).toEqual({})
  expect(shown([given('ok', '', null, 1)], [unit('ok', '', null, 'succeeded')])).toEqual({ ok: 1 })
})

test('an answer about an element that is gone does not stand for the one in its place', () => {
  const units = [unit('each', '', null, 'pending'), unit('each', 'new', 1, 'succeeded')]
  expect(shown([given('each', 'new', 0, 'ours'), given('each', 'old', 1, 'theirs', 2)], units)).toEqual({
    'each/1': 'ours',
  })
})

test('an answer to a gate that the definition does not have is not shown, whatever its name', () => {
  expect(shown([given('gone', '', null, 1), given('constructor', '', null, 1), given('ok', '', null, 2)], [])).toEqual({
    ok: 2,
  })
})

test('before items are known, the latest answer stands where it was given', () => {
  const answers = [given('each', 'b', 0, 'later', 2), given('each', 'a', 0, 'sooner', 1)]
  expect(shown(answers, [unit('each', '', null, 'pending')])).toEqual({ 'each/0': 'later' })
  expect(shown(answers, [])).toEqual({ 'each/0': 'later' })
})
