// Facts about the node type `gate.approve`.
import { expect, test } from 'vitest'
import { gateApprove } from './gate-approve.ts'

const request = { kind: 'approve', title: 'Good?', value: { headline: 'a' } }
const accept = (answer: unknown) => gateApprove.gate?.accept(request, answer)

test('asks about the value', () => {
  expect(gateApprove.gate?.ask({ params: { title: 'Good?' }, inputs: { value: { headline: 'a' } } })).toEqual(request)
})

test('a yes sends the value one way, a no the other', () => {
  expect(accept({ approved: true })).toEqual({ outputs: { approved: request.value, note: '' } })
  expect(accept({ approved: false, note: 'too loud' })).toEqual({
    outputs: { rejected: request.value, note: 'too loud' },
  })
})

test('an answer that says neither is refused at its place', () => {
  expect(accept({})).toMatchObject({ errors: [{ type: 'missing', loc: ['approved'] }] })
  expect(accept({ approved: 'yes' })).toMatchObject({ errors: [{ type: 'bool_type', loc: ['approved'] }] })
  expect(accept({ approved: true, note: 1 })).toMatchObject({ errors: [{ type: 'string_type', loc: ['note'] }] })
})
