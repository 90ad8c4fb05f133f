// Facts about what is sent when an automation is edited, and about what another admin has saved meanwhile.
import { expect, test } from 'vitest'
import {
  changedMembers,
  followedMembers,
  type Members,
  overtakenMembers,
  rebasedOn,
  withIts,
} from './changed-members.ts'

const output = { node_id: 'ads', port: 'images', item: null }
const rule = { field: 'priority', op: 'lte', value: 2 }
const before: Members = {
  name: 'Pictures',
  on_status: 'done',
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

test('what another admin has saved meanwhile is overtaken only where it was changed here too, and otherwise', () => {
  const mine = { ...before, name: 'Films', query: null }
  const now: Members = { ...before, name: 'Clips', query: null, to_status: 'archived' }
  expect(overtakenMembers(before, mine, now)).toEqual(['name'])
  expect(followedMembers(before, mine, now)).toEqual(['to_status'])
  expect(overtakenMembers(rebasedOn(before, now, ['name']), mine, now)).toEqual([])
})

test('with another graph, what was saved of the former one is looked at with the graph, and not followed', () => {
  const mine = { ...before, graph_id: 'b', targets: [] }
  const now = { ...before, targets: ['films'], outputs: [] }
  expect(overtakenMembers(before, mine, now)).toEqual(['graph_id'])
  expect(followedMembers(before, mine, now)).toEqual([])
  const seen = rebasedOn(before, now, withIts('graph_id', before, mine))
  expect(overtakenMembers(seen, mine, now)).toEqual([])
  expect(changedMembers(seen, mine)).toEqual({ graph_id: 'b', targets: [], outputs: [output] })
})

test('outputs that were changed here are overtaken by those of a graph that another admin has chosen', () => {
  const mine = { ...before, outputs: [] }
  const now = { ...before, graph_id: 'b', outputs: [{ ...output, node_id: 'films' }] }
  expect(followedMembers(before, mine, now)).toEqual(['graph_id'])
  expect(overtakenMembers(before, mine, now)).toEqual(['outputs'])
})
