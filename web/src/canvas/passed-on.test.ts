// Facts about what nodes pass on, and about the inputs to which it is led.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { cardViews } from './cards.ts'
import { edgeToNode, joiningOf } from './connecting.ts'
import { passedKind } from './passed-on.ts'

const text = { type: 'string' }
const file = { 'x-atelier': 'file' }
const any = {}
const listOf = (items: object) => ({ type: 'array', items })
const gives = (schema: Record<string, unknown>) => ({ title: 'T', description: '', schema })
const takes = (schema: Record<string, unknown>, required = true, many = false) => ({
  ...{ ...gives(schema), required, many, accepts_holes: false },
})
const typeOf = (type: string, inputs: NodeType['inputs'], outputs: NodeType['outputs']): NodeType => ({
  ...{ type, version: 1, title: type, summary: '', help: '', group: 'other', params: {}, inputs, outputs },
  ...{ open_inputs: false, credits: { least: 0, most: 0, note: '' }, cacheable: true, pure: true, retry_safe: true },
  ...{ gate: false, available: true, unavailable_reason: null, replaced_by: null, earlier: [] },
})
const passed = { approved: gives(any), rejected: gives(any), note: gives(text) }
const types = new Map(
  [
    typeOf('words', {}, { lines: gives(listOf(text)) }),
    typeOf('paint', {}, { image: gives(file), all: gives(listOf(listOf(file))) }),
    typeOf('odd', { value: takes(any) }, { value: gives(any) }),
    typeOf('render', { headline: takes(text), image: takes(file, false), logo: takes(file, false) }, {}),
    typeOf('gate.choose', { options: takes(listOf(any)) }, { chosen: gives(listOf(any)), first: gives(any) }),
    typeOf('gate.approve', { value: takes(any) }, passed),
    typeOf('list.collect', { values: takes(any, true, true) }, { list: gives(listOf(any)) }),
  ].map((type) => [type.type, type]),
)

const wire = (words: string): GraphEdge => {
  const [from = '', to = ''] = words.split(' > ')
  const end = (name: string) => ({ node: name.split('.')[0] ?? '', port: name.split('.')[1] ?? '' })
  return { from: end(from), to: end(to) }
}
const ids = { choose: 'gate.choose', approve: 'gate.approve', collect: 'list.collect' }
const graph = (...wires: string[]) => {
  const named = { ...ids, words: 'words', paint: 'paint', odd: 'odd', ad: 'render' }
  const nodes = Object.fromEntries(Object.entries(named).map(([id, type]) => [id, { type, version: 1 }]))
  return readDefinition({ nodes, edges: wires.map(wire) })
}
const kindOf = (of: string, ...wires: string[]) => passedKind(graph(...wires), types, wire(`${of} > x.x`).from)
const ledTo = (of: string, ...wires: string[]) => {
  const definition = graph(...wires)
  const view = cardViews(definition, types).get('ad')
  if (!view) throw new Error('There is no card.')
  const end = { ...wire(`${of} > x.x`).from, side: 'source' } as const
  return edgeToNode(end, view, (edge) => joiningOf(definition, types, edge))?.to.port
}

test('what is chosen, approved and collected is of the kind that came, through as many nodes as stand between', () => {
  expect(kindOf('choose.first', 'paint.image > choose.options')).toBe('file')
  expect(kindOf('choose.chosen', 'words.lines > choose.options')).toBe('text')
  const long = ['paint.all > collect.values', 'collect.list > choose.options', 'choose.first > approve.value']
  expect(kindOf('approve.approved', ...long)).toBe('file')
  expect(kindOf('approve.note', ...long)).toBe('text')
})

test('the kind is not known where nothing comes, where kinds are mixed, after a node that makes something else, and in a circle', () => {
  expect(kindOf('choose.first')).toBeNull()
  expect(kindOf('collect.list', 'paint.image > collect.values', 'words.lines > collect.values')).toBeNull()
  expect(kindOf('choose.first', 'paint.image > odd.value', 'odd.value > choose.options')).toBeNull()
  expect(kindOf('collect.list', 'choose.chosen > collect.values', 'collect.list > choose.options')).toBeNull()
})

test('a picture that was chosen is led to the picture of an ad, and a text to its headline', () => {
  expect(ledTo('choose.first', 'paint.image > choose.options')).toBe('image')
  expect(ledTo('choose.first', 'words.lines > choose.options')).toBe('headline')
  const taken = ['paint.image > choose.options', 'paint.image > ad.image']
  expect(ledTo('choose.first', ...taken)).toBe('logo')
  expect(ledTo('choose.first')).toBe('headline')
  // Only where nothing that fits is free, an edge is replaced.
  expect(ledTo('choose.first', ...taken, 'paint.image > ad.logo', 'approve.note > ad.headline')).toBe('image')
})

test('an edge to an input that takes one edge replaces the one there, and the node runs once for each only if it brings a list', () => {
  const taken = wire('approve.note > ad.headline')
  const definition = graph('approve.note > ad.headline', 'words.lines > choose.options')
  const joined = (from: string, to = 'ad.headline', each: string[] = []) => {
    const ad = { ...(definition.nodes.ad ?? { type: 'render', version: 1, params: {}, inputs: {} }), each }
    return joiningOf({ ...definition, nodes: { ...definition.nodes, ad } }, types, wire(`${from} > ${to}`))
  }
  expect(joined('choose.first')).toMatchObject({ problem: null, each: false, replaces: [taken] })
  expect(joined('words.lines')).toMatchObject({ problem: null, each: true, replaces: [taken] })
  expect(joined('words.lines', 'ad.headline', ['headline'])).toMatchObject({ problem: null, each: true })
  expect(joined('approve.note', 'ad.image').replaces).toEqual([])
  expect(joined('approve.note')).toMatchObject({ problem: 'These ports are connected already.', replaces: [] })
  expect(joined('paint.image').problem).toMatch(/does not fit/)
  const listed = { ...definition, edges: [wire('words.lines > ad.headline')] }
  const each = { ...listed.nodes, ad: { ...definition.nodes.ad, each: ['headline'] } }
  const one = joiningOf({ ...listed, nodes: Object.assign({}, listed.nodes, each) }, types, taken)
  expect(one).toMatchObject({ problem: null, each: false, replaces: listed.edges })
})

test('a picture that is led to a headline all the same may be, and what is wrong with it is said', () => {
  const definition = graph('paint.image > choose.options')
  const into = (port: string) => joiningOf(definition, types, wire(`choose.first > ad.${port}`))
  expect(into('headline')).toMatchObject({ problem: null, misfit: 'it passes on a file, and text is asked for' })
  expect(into('image')).toMatchObject({ problem: null, misfit: null })
  const words = graph('words.lines > choose.options')
  expect(joiningOf(words, types, wire('choose.first > ad.logo')).misfit).toBe(
    'it passes on text, and a file is asked for',
  )
})
