// Facts about the node type `gate.choose`.
import { expect, test } from 'vitest'
import { gateChoose } from './gate-choose.ts'

const options = ['a', 'b', 'c']
const ask = (params: Record<string, unknown> = {}, given: unknown[] = options) => {
  if (gateChoose.gate === null) throw new Error('gate.choose is a gate')
  return gateChoose.gate.ask({ params, inputs: { options: given } })
}
const accept = (params: Record<string, unknown>, answer: unknown) => gateChoose.gate?.accept(ask(params), answer)
const firstError = (params: Record<string, unknown>, answer: unknown) => {
  const accepted = accept(params, answer)
  return accepted && 'errors' in accepted ? accepted.errors[0] : null
}

test('asks for one of the options unless told otherwise', () => {
  expect(ask()).toEqual({ kind: 'choose', title: 'Which one goes on?', options, min: 1, max: 1 })
  expect(ask({ title: 'Two?', min: 2, max: 9 })).toMatchObject({ title: 'Two?', min: 2, max: 3 })
})

test('gives what was picked, in the order of the options', () => {
  expect(accept({ max: 2 }, { selected: [2, 0] })).toEqual({ outputs: { chosen: ['a', 'c'], first: 'a' } })
})

test('gives no first where nothing needs to be picked and nothing is', () => {
  expect(accept({ min: 0 }, { selected: [] })).toEqual({ outputs: { chosen: [] } })
})

test.for([
  [null, [], 'model_attributes_type'],
  [{}, ['selected'], 'missing'],
  [{ selected: [0], more: 1 }, ['more'], 'extra_forbidden'],
  [{ selected: 0 }, ['selected'], 'list_type'],
  [{ selected: ['0'] }, ['selected', 0], 'int_type'],
  [{ selected: [3] }, ['selected', 0], 'value_error'],
  [{ selected: [-1] }, ['selected', 0], 'value_error'],
  [{ selected: [1, 1] }, ['selected', 1], 'value_error'],
  [{ selected: [] }, ['selected'], 'value_error'],
  [{ selected: [0, 1, 2] }, ['selected'], 'value_error'],
] as const)('an answer of %j is refused at %j', ([answer, loc, type]) => {
  expect(firstError({ max: 2 }, answer)).toMatchObject({ loc, type })
})

test('cannot ask for more than there is', () => {
  expect(() => ask({ min: 2, max: 2 }, ['a'])).toThrow('At least 2 must be picked, and there are only 1 options.')
  expect(() => ask({ min: 2 })).toThrow('cannot both hold')
})
