// Facts about the node type `list.collect`.
import { expect, test } from 'vitest'
import { callNode, failureOf } from '../../test/support/nodes.ts'
import { listCollect } from './list-collect.ts'

const collect = (values: unknown[], params: Record<string, unknown> = {}) =>
  callNode(listCollect, { params, inputs: { values } })

test('brings values and lists together in their order', async () => {
  expect((await collect([1, [2, 3], 'a'])).outputs).toEqual({ list: [1, 2, 3, 'a'], count: 4 })
})

test('keeps lists as elements where that is asked for', async () => {
  expect((await collect([1, [2, 3]], { join_lists: false })).outputs).toEqual({ list: [1, [2, 3]], count: 2 })
})

test('takes lists with holes as the list of the others', () => {
  expect(listCollect.inputs.values).toMatchObject({ many: true, accepts_holes: true })
})

test('refuses a list that no node after it could hold', async () => {
  expect(await failureOf(collect([Array.from({ length: 10_001 }, () => 0)]))).toMatch(/10001 elements/)
})
