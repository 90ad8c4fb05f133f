// Facts about copying a graph so that its nodes run for the first element of a list only.
import { expect, test } from 'vitest'
import { firstRowOf } from './first-row.ts'

const from = (node: string, port: string, to: string, into: string) => ({
  from: { node, port },
  to: { node: to, port: into },
})

test('where a list begins to be run over, its first element is taken, and what the results are led to stays', () => {
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

test('a later node takes the first of each list of its own too, so that its lists stay equally long', () => {
  const nodes = {
    rows: { type: 'csv.parse', version: 1 },
    copy: { type: 'sample.chat', version: 1, each: ['row'] },
    paint: { type: 'sample.image', version: 1, each: ['prompt', 'size', 'row'], inputs: { size: ['S', 'L'] } },
    choose: { type: 'gate.choose', version: 1 },
    small: { type: 'image.resize', version: 1, each: ['image'] },
  }
  const [led, kept, own] = [
    from('rows', 'rows', 'copy', 'row'),
    from('copy', 'text', 'paint', 'prompt'),
    from('rows', 'rows', 'paint', 'row'),
  ]
  // What a gate lets through may be several, although what it asks about comes from one row.
  const asked = from('paint', 'image', 'choose', 'options')
  const cut = firstRowOf({ nodes, edges: [led, kept, own, asked, from('choose', 'chosen', 'small', 'image')] })
  expect(cut).toMatchObject({ nodes: { paint: { inputs: { size: ['S'] } } } })
  expect(cut?.edges).toEqual([
    from('rows', 'rows', 'first_rows', 'list'),
    from('first_rows', 'picked', 'copy', 'row'),
    kept,
    from('first_rows', 'picked', 'paint', 'row'),
    asked,
    from('choose', 'chosen', 'first_chosen', 'list'),
    from('first_chosen', 'picked', 'small', 'image'),
  ])
})

test('of values of its own the first is taken, and a graph without lists has no first row', () => {
  const node = { type: 'sample.chat', version: 1, each: ['market'], inputs: { market: ['DE', 'FR'], other: [1, 2] } }
  const cut = firstRowOf({ nodes: { node }, edges: [] })
  expect(cut).toMatchObject({ nodes: { node: { inputs: { market: ['DE'], other: [1, 2] } } } })
  expect(firstRowOf({ nodes: { node: { type: 'input.text', version: 1 } }, edges: [] })).toBeNull()
})
