// Facts about copying a graph so that its nodes run for the first element of a list only.
import { expect, test } from 'vitest'
import { firstRowOf } from './first-row.ts'

const from = (node: string, port: string, to: string, into: string) => ({
  from: { node, port },
  to: { node: to, port: into },
})

test('where a list begins to be run over, its first element is taken, and what follows stays', () => {
  const nodes = {
    rows: { type: 'csv.parse', version: 1 },
    copy: { type: 'sample.chat', version: 1, each: ['row'], note: 'kept' },
    again: { type: 'sample.chat', version: 1, each: ['row'] },
    paint: { type: 'sample.image', version: 1, each: ['prompt'] },
  }
  const kept = [from('copy', 'text', 'paint', 'prompt')]
  const edges = [from('rows', 'rows', 'copy', 'row'), from('rows', 'rows', 'again', 'row'), ...kept]
  expect(firstRowOf({ schema: 1, nodes, edges })).toEqual({
    schema: 1,
    nodes: {
      ...nodes,
      copy: { ...nodes.copy, inputs: {} },
      again: { ...nodes.again, inputs: {} },
      first_rows: { type: 'list.pick', version: 1, params: { how: 'first', count: 1 } },
    },
    edges: [
      from('rows', 'rows', 'first_rows', 'list'),
      from('first_rows', 'picked', 'copy', 'row'),
      from('first_rows', 'picked', 'again', 'row'),
      ...kept,
    ],
  })
})

test('of values of its own the first is taken, and a graph without lists has no first row', () => {
  const node = { type: 'sample.chat', version: 1, each: ['market'], inputs: { market: ['DE', 'FR'], other: [1, 2] } }
  const cut = firstRowOf({ nodes: { node }, edges: [] })
  expect(cut).toMatchObject({ nodes: { node: { inputs: { market: ['DE'], other: [1, 2] } } } })
  expect(firstRowOf({ nodes: { node: { type: 'input.text', version: 1 } }, edges: [] })).toBeNull()
})
