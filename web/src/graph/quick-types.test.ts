// Facts about which node types fit the end of a dropped wire, and about the edges that are added with the node.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { fittingOf, fittings } from './quick-types.ts'

const port = (schema: Record<string, unknown>) => ({ title: 'T', description: '', schema })
const takes = (schema: Record<string, unknown>) => ({
  ...port(schema),
  required: true,
  many: false,
  accepts_holes: false,
})
const text = { type: 'string' }
const rows = { type: 'array', items: { type: 'object' } }
const typeOf = (type: string, parts: Partial<NodeType>): NodeType => ({
  ...{ type, version: 1, title: type, summary: '', help: '', group: 'text', params: {}, inputs: {}, outputs: {} },
  ...{ open_inputs: false, credits: { least: 0, most: 0, note: '' }, cacheable: true, pure: true, retry_safe: true },
  ...{ gate: false, available: true, unavailable_reason: null, replaced_by: null, earlier: [] },
  ...parts,
})
const template = { type: 'object', properties: { prompt: { type: 'string', 'x-atelier': 'template', default: '' } } }
const all = [
  typeOf('a.rows', { outputs: { rows: port(rows) } }),
  typeOf('a.write', { open_inputs: true, params: template, outputs: { text: port(text) } }),
  typeOf('a.paint', { inputs: { prompt: takes(text) }, outputs: { image: port({ 'x-atelier': 'file' }) } }),
  typeOf('a.old', { inputs: { prompt: takes(text) }, replaced_by: { type: 'a.paint', version: 1 } }),
]
const types = new Map(all.map((type) => [type.type, type]))
const titles = (found: readonly { type: NodeType }[]) => found.map(({ type }) => type.type)
const definition = readDefinition({
  nodes: { rows: { type: 'a.rows', version: 1 }, write: { type: 'a.write', version: 1, each: ['row'] } },
  edges: [{ from: { node: 'rows', port: 'rows' }, to: { node: 'write', port: 'row' } }],
})

test('of a list, each type that takes its elements fits, and runs once for each', () => {
  const opening = { kind: 'end', end: { node: 'rows', port: 'rows', side: 'source' } } as const
  const found = fittings(definition, types, opening)
  expect(titles(found)).toEqual(['a.write'])
  expect(found[0]).toMatchObject({
    id: 'write_2',
    joins: [{ edge: { from: { node: 'rows', port: 'rows' }, to: { node: 'write_2', port: 'row' } }, each: true }],
  })
})

test('backwards from an input, what gives it fits; what was replaced is not offered', () => {
  const opening = { kind: 'end', end: { node: 'write', port: 'text', side: 'source' } } as const
  expect(titles(fittings(definition, types, opening))).toEqual(['a.write', 'a.paint'])
  const back = { kind: 'end', end: { node: 'write', port: 'row', side: 'target' } } as const
  expect(titles(fittings({ ...definition, edges: [] }, types, back))).toContain('a.rows')
})

test('for an input with an edge, the same types are offered as without, each in place of that edge', () => {
  const back = { kind: 'end', end: { node: 'write', port: 'row', side: 'target' } } as const
  const found = fittings(definition, types, back)
  const free = readDefinition({
    nodes: { rows: { type: 'a.rows', version: 1 }, write: { type: 'a.write', version: 1 } },
  })
  expect(titles(found)).toEqual(titles(fittings(free, types, back)))
  expect(titles(found)).toContain('a.rows')
  expect(found.map(({ joins }) => joins.map(({ replaces }) => replaces))).toEqual(found.map(() => [definition.edges]))
})

test('a node that is put on a wire takes what came, and gives on what it makes of it', () => {
  const [edge] = definition.edges
  const [, write, paint] = all
  if (!edge || !write || !paint) throw new Error('There are an edge and types.')
  expect(fittingOf(definition, types, write, { kind: 'wire', edge })?.joins).toEqual([
    { edge: { from: edge.from, to: { node: 'write_2', port: 'row' } }, each: true, replaces: [] },
    { edge: { from: { node: 'write_2', port: 'text' }, to: edge.to }, each: false, replaces: [] },
  ])
  expect(fittingOf(definition, types, paint, { kind: 'wire', edge })).toBeNull()
})

test('of the types offered for a picture that was chosen, those in which a run would fail come last', () => {
  const any = { type: 'array', items: {} }
  const choose = typeOf('gate.choose', { inputs: { options: takes(any) }, outputs: { first: port({}) } })
  const crop = typeOf('a.crop', { inputs: { image: takes({ 'x-atelier': 'file' }) } })
  const known = new Map([...types, [choose.type, choose], [crop.type, crop]])
  const chosenOf = (type: string, out: string) =>
    readDefinition({
      nodes: { made: { type, version: 1 }, choose: { type: 'gate.choose', version: 1 } },
      edges: [{ from: { node: 'made', port: out }, to: { node: 'choose', port: 'options' } }],
    })
  const opening = { kind: 'end', end: { node: 'choose', port: 'first', side: 'source' } } as const
  const ranks = (type: string, out: string) =>
    Object.fromEntries(fittings(chosenOf(type, out), known, opening).map(({ type, rank }) => [type.type, rank]))
  expect(ranks('a.paint', 'image')).toMatchObject({ 'a.crop': 0, 'a.paint': 3 })
  expect(ranks('a.write', 'text')).toMatchObject({ 'a.crop': 3, 'a.paint': 0 })
})
