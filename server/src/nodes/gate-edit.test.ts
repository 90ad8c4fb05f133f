// Facts about the node type `gate.edit`.
import { expect, test } from 'vitest'
import { gateEdit } from './gate-edit.ts'

const accept = (before: unknown, answer: unknown) =>
  gateEdit.gate?.accept({ kind: 'edit', title: 'Change it', value: before }, answer)

test('asks with the value as it stands', () => {
  expect(gateEdit.gate?.ask({ params: { title: 'Shorten' }, inputs: { value: ['a'] } })).toEqual({
    kind: 'edit',
    title: 'Shorten',
    value: ['a'],
  })
})

test('gives what was saved', () => {
  expect(accept('a', { value: 'b' })).toEqual({ outputs: { value: 'b' } })
  expect(accept([1], { value: [] })).toEqual({ outputs: { value: [] } })
})

test.for([
  ['a', 1, 'a text', 'a number'],
  [[1], { a: 1 }, 'a list', 'an object'],
  [{ a: 1 }, null, 'an object', 'null'],
  [true, 'true', 'a yes or no', 'a text'],
] as const)('%j does not become %j', ([before, after, was, becomes]) => {
  expect(accept(before, { value: after })).toMatchObject({
    errors: [{ loc: ['value'], msg: `Value error, this was ${was} and must stay one, not become ${becomes}` }],
  })
})

test('an answer without a value is refused', () => {
  expect(accept('a', {})).toMatchObject({ errors: [{ type: 'missing', loc: ['value'] }] })
})
