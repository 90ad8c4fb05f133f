// Facts about the node type `list.pick`.
import { expect, test } from 'vitest'
import { callNode, failureOf, seedOf } from '../../test/support/nodes.ts'
import { listPick } from './list-pick.ts'

const list = ['a', 'b', 'c', 'd']
const pick = (params: Record<string, unknown>, seed = seedOf('x')) =>
  callNode(listPick, { params, inputs: { list }, seed })

test.for([
  [{}, ['a']],
  [{ how: 'first', count: 2 }, ['a', 'b']],
  [{ how: 'last', count: 2 }, ['c', 'd']],
  [{ how: 'first', count: 9 }, list],
  [{ how: 'at', positions: [2, -1] }, ['b', 'd']],
] as const)('%j gives %j', async ([params, picked]) => {
  expect((await pick(params)).outputs).toEqual({ picked, first: picked[0] })
})

test('a draw is the same for the same call, in the order of the list, and another for another', async () => {
  const params = { how: 'random', count: 2 }
  const one = (await pick(params)).outputs.picked
  expect((await pick(params)).outputs.picked).toEqual(one)
  expect(Array.isArray(one) && one.toSorted()).toEqual(one)
  const others = await Promise.all(
    ['1', '2', '3', '4', '5'].map(async (text) => JSON.stringify((await pick(params, seedOf(text))).outputs.picked)),
  )
  expect(new Set(others).size).toBeGreaterThan(1)
})

test('a position that is not there is refused', async () => {
  expect(await failureOf(pick({ how: 'at', positions: [5] }))).toBe('There is no element 5: the list has 4.')
  expect(await failureOf(pick({ how: 'at', positions: [0] }))).toBe('There is no element 0: the list has 4.')
})

test('an empty list has no first', async () => {
  expect((await callNode(listPick, { inputs: { list: [] } })).outputs).toEqual({ picked: [] })
})
