// Facts about ports in `each` whose edges are removed.
import { expect, test } from 'vitest'
import type { Raw } from '../canvas/doc.ts'
import { begin, type Edit, edit } from './edit.ts'
import { withoutUnfedEach } from './unfed-each.ts'

const wire = (from: string, port: string, to: string, into: string) => ({
  from: { node: from, port },
  to: { node: to, port: into },
})
const rows = { type: 'csv.parse', version: 1 }
const copy = { type: 'sample.chat', version: 1, each: ['row', 'tone'] }
const led = wire('rows', 'rows', 'copy', 'row')
const graph = (nodes: Raw, edges: unknown[] = []): Raw => ({ schema: 1, nodes, edges })
const before = graph({ rows, copy }, [led, 'odd'])
const after = (change: Edit) => edit(begin({ definition: before, positions: {}, annotations: {} }), change)

test('a wire that is removed, by itself or with its source, takes the list along that the node ran over', () => {
  const alone = { ...copy, each: ['tone'] }
  const cut = after({ type: 'remove', ids: [], edges: [JSON.stringify(['rows', 'rows', 'copy', 'row'])] })
  expect(cut.doc.definition).toEqual(graph({ rows, copy: alone }, ['odd']))
  expect(edit(cut, { type: 'undo' }).doc.definition).toBe(before)
  expect(after({ type: 'remove', ids: ['rows'], edges: [] }).doc.definition).toEqual(graph({ copy: alone }, ['odd']))
})

test('a node that is put into a wire leaves the next one running over what it gives', () => {
  const pick = { type: 'list.pick', version: 1 }
  const joins = [wire('rows', 'rows', 'pick', 'list'), wire('pick', 'picked', 'copy', 'row')]
  const { doc } = after({
    ...{ type: 'add', clip: { nodes: { pick }, edges: [], positions: {}, annotations: {} } },
    joins: joins.map((edge) => ({ edge, each: false })),
    without: [JSON.stringify(['rows', 'rows', 'copy', 'row'])],
  })
  expect(doc.definition.nodes).toMatchObject({ copy })
})

test('a port that has a value of its own, or had no wire before, stays', () => {
  const valued = graph({ rows, copy: { ...copy, inputs: { row: ['x'] } } })
  expect(withoutUnfedEach(valued, before)).toBe(valued)
  const bare = graph({ rows, copy })
  expect(withoutUnfedEach(bare, graph({ rows, copy }))).toBe(bare)
})
