// Facts about the values that arrive at a node's input ports from the outputs of its predecessors.
import type { InputPort } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { callOf, type Items, type Predecessor } from './inputs.ts'
import { freshUnit, type UnitState } from './units.ts'

const done = (node: string, out: unknown, position: number | null = null): UnitState => ({
  ...freshUnit({ node, item: position === null ? '' : String(position) }, position),
  status: 'succeeded',
  outputs: { out },
})
const over = (...values: unknown[]): Items => ({
  count: values.length,
  units: new Map(values.map((value, position) => [position, done('each', value, position)])),
})
const predecessors = new Map<string, Predecessor>([
  ['one', { id: 'one', node: done('one', 'a'), items: null }],
  ['list', { id: 'list', node: done('list', ['b', 'c']), items: null }],
  ['each', { id: 'each', node: done('each', null), items: over('d', 'e') }],
  ['empty', { id: 'empty', node: done('empty', []), items: null }],
])

/** What a node gets at a port that takes several edges, if edges lead there from these predecessors. */
function gathered(schema: InputPort['schema'], ...from: string[]): unknown {
  const port = { title: 'All', description: '', schema, required: false, many: true, accepts_holes: false }
  const node = { type: 'join', version: 1, params: {}, inputs: {}, each: [] }
  const edges = from.map((id) => ({ from: { node: id, port: 'out' }, to: { node: 'join', port: 'all' } }))
  const call = callOf({ id: 'join', node, type: { inputs: { all: port } } }, edges, (id) => {
    const found = predecessors.get(id)
    if (!found) throw new Error(`There is no node “${id}”.`)
    return found
  })
  return call.kind === 'once' ? call.inputs.all : call
}

test('lists that lead to a port for several values stand in it element by element, among the values of its other edges', () => {
  const text = { type: 'string' }
  expect(gathered(text, 'each', 'one', 'list')).toEqual(['d', 'e', 'a', 'b', 'c'])
  expect(gathered(text, 'empty')).toEqual([])
})

test('where the values may be lists themselves, each list stays one value', () => {
  expect(gathered({}, 'each', 'one', 'list')).toEqual([['d', 'e'], 'a', ['b', 'c']])
  expect(gathered({ type: 'array' }, 'list', 'each')).toEqual([
    ['b', 'c'],
    ['d', 'e'],
  ])
})
