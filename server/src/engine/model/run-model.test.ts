// Facts about scheduling nodes: which states are saved before anything is executed.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { expect, test } from 'vitest'
import { nothingOutside } from '../../../test/support/node-options.ts'
import { createRegistry, defaultNodeTypes } from '../../nodes/registry.ts'
import { createModel } from './run-model.ts'
import { freshUnit, nameItems, type UnitState, unitKey } from './units.ts'

const { find } = createRegistry(defaultNodeTypes(nothingOutside))
const definition = readDefinition({
  schema: 1,
  nodes: { each: { type: 'text.template', version: 1, params: {}, inputs: { x: ['a', 'b'] }, each: ['x'] } },
  edges: [],
})
const made = (unit: UnitState): UnitState => ({ ...unit, status: 'succeeded', outputs: { text: 'old' }, generation: 1 })

test('items that no longer hold are pending in the very save that says their node was looked at', async () => {
  const items = (await nameItems([['a'], ['b']])).map(({ item }, index) =>
    made(freshUnit({ node: 'each', item }, index)),
  )
  const node = { ...freshUnit({ node: 'each', item: '' }), itemCount: 2, stale: true, generation: 1 }
  const known = new Map([node, ...items].map((unit) => [unitKey(unit), unit]))
  const { work, changed } = await createModel({
    definition,
    targets: [],
    find,
    known,
    stillHolds: () => false,
  }).schedule()
  expect(work).toHaveLength(2)
  expect(changed.map(({ item, status, stale }) => ({ isItem: item !== '', status, stale }))).toEqual([
    { isItem: true, status: 'pending', stale: false },
    { isItem: true, status: 'pending', stale: false },
    { isItem: false, status: 'pending', stale: false },
  ])
})
