// Facts about what is sent when an automation is edited.
import { expect, test } from 'vitest'
import { changedMembers } from './changed-members.ts'

const output = { node_id: 'ads', port: 'images', item: null }
const rule = { field: 'priority', op: 'lte', value: 2 }
const before = {
  name: 'Pictures',
  query: { and: [rule] },
  graph_id: 'a',
  targets: ['ads'],
  outputs: [output],
  to_status: null,
}

test('only members that were changed are sent', () => {
  const same = structuredClone(before)
  expect(changedMembers(before, same)).toEqual({})
  expect(changedMembers(before, { ...same, name: 'Films' })).toEqual({ name: 'Films' })
  expect(changedMembers(before, { ...same, query: null })).toEqual({ query: null })
})

test('with another graph its targets and outputs are sent, even if they look the same', () => {
  const sent = { graph_id: 'b', targets: ['ads'], outputs: [output] }
  expect(changedMembers(before, { ...before, graph_id: 'b' })).toEqual(sent)
  expect(changedMembers(before, { ...before, graph_id: 'b', targets: [] })).toEqual({ ...sent, targets: [] })
})
