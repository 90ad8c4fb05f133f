// Facts about the ports and the size of a node's card, and about connecting its ports.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { NodeType } from '@atelier/contract/graph/node-types.ts'
import { expect, test } from 'vitest'
import { cardHeight, cardViews } from './cards.ts'
import { edgeBetween, joiningOf, named } from './connecting.ts'

const port = (schema: Record<string, unknown>) => ({ title: 'T', description: '', schema })
const chat: NodeType = {
  type: 'sample.chat',
  version: 1,
  title: 'Sample text',
  summary: '',
  help: '',
  group: 'generate',
  params: {
    type: 'object',
    properties: { prompt: { type: 'string', default: '{{ prompt }}', 'x-atelier': 'template' } },
  },
  inputs: { prompt: { ...port({ type: 'string' }), required: false, many: false, accepts_holes: false } },
  outputs: { image: port({ type: 'object', 'x-atelier': 'file' }) },
  open_inputs: true,
  credits: { least: 0, most: 0, note: '' },
  cacheable: true,
  pure: false,
  retry_safe: true,
  gate: false,
  available: true,
  unavailable_reason: null,
  replaced_by: null,
  earlier: [],
}
const whole = { problem: null, each: false, isChoice: false, misfit: null, replaces: [] }
const always = () => whole
const types = new Map([[chat.type, chat]])
const viewOf = (node: Record<string, unknown>, edges: unknown[] = []) => {
  const view = cardViews(readDefinition({ nodes: { a: node, b: { type: 'x', version: 1 } }, edges }), types).get('a')
  if (!view) throw new Error('There is no card.')
  return view
}

test('the names a template asks for are inputs, those of its loops are not', () => {
  const prompt = '{{ hook }} {% for row in rows %}{{ row.name | upcase }}{% endfor %} {{- tone }}'
  const { inputs } = viewOf({ type: 'sample.chat', version: 1, params: { prompt } })
  expect(inputs.map(({ name }) => name)).toEqual(['prompt', 'hook', 'rows', 'tone'])
})

test('an unknown type shows the ports that edges name, and why it is unknown', () => {
  const view = viewOf({ type: 'mock.old', version: 1 }, [
    { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } },
    { from: { node: 'b', port: 'x' }, to: { node: 'a', port: 'given' } },
  ])
  expect(view.trouble).toBe('Unknown node type')
  expect([view.inputs, view.outputs].map((ports) => ports.map(({ name }) => name))).toEqual([['given'], ['out']])
})

test('a card is taller in a run, and taller still where there are pictures to show', () => {
  const view = viewOf({ type: 'sample.chat', version: 1 })
  expect(view.makesFiles).toBe(true)
  expect(cardHeight(view, 'run')).toBeGreaterThan(cardHeight({ ...view, makesFiles: false }, 'run'))
})

test('an edge to the place of a new input is named after what it brings, if that is free', () => {
  const view = viewOf({ type: 'sample.chat', version: 1, inputs: { text: 'x' } })
  const to = (portName: string) => ({ from: { node: 'b', port: portName }, to: { node: 'a', port: '+' } })
  expect(named(to('hook'), view, always).to.port).toBe('hook')
  expect(named(to('text'), view, always).to.port).toBe('text_2')
})

test('an edge to the place of a new input goes to the one that waits, but only where it fits', () => {
  const view = viewOf({ type: 'sample.chat', version: 1 })
  const edge = { from: { node: 'b', port: 'rows' }, to: { node: 'a', port: '+' } }
  const onlyNew = ({ to }: GraphEdge) => ({ ...whole, problem: to.port === 'prompt' ? 'a list' : null })
  expect(named(edge, view, always).to.port).toBe('prompt')
  expect(named(edge, view, onlyNew).to.port).toBe('rows')
  // If the node runs once for each element of a list, the input has the name of one element.
  expect(named(edge, view, (one) => ({ ...onlyNew(one), each: true })).to.port).toBe('row')
})

const listOf = (items: object) => ({ type: 'array', items })
const gives = (schema: Record<string, unknown>): NodeType => ({
  ...chat,
  type: 'gives',
  inputs: {},
  outputs: { out: port(schema) },
})
/** What would happen if an edge led from an output with this schema to the port `to` of a node with this template. */
const joined = (schema: Record<string, unknown>, to: string, prompt = '{{ row.market }}', taker = chat) => {
  const source = gives(schema)
  const nodes = { a: { type: 'sample.chat', version: 1, params: { prompt } }, b: { type: 'gives', version: 1 } }
  const known = new Map([taker, source].map((type) => [type.type, type] as const))
  const edge = { from: { node: 'b', port: 'out' }, to: { node: 'a', port: to } }
  return joiningOf(readDefinition({ nodes, edges: [] }), known, edge)
}

test('a list runs a node once for each where the node takes one at a time', () => {
  expect(joined(listOf({ type: 'string' }), 'prompt')).toMatchObject({
    problem: null,
    each: true,
    isChoice: false,
    misfit: null,
    replaces: [],
  })
  expect(joined(listOf({ type: 'object' }), 'prompt').problem).toMatch(/does not fit/)
  expect(joined({ type: 'string' }, 'prompt')).toEqual({
    problem: null,
    each: false,
    isChoice: false,
    misfit: null,
    replaces: [],
  })
})

test('a list led to a name of the template runs it once for each, unless it reads it as a list', () => {
  const rows = listOf({ type: 'object' })
  const each = { problem: null, each: true, isChoice: true, misfit: null, replaces: [] }
  const whole = { problem: null, each: false, isChoice: true, misfit: null, replaces: [] }
  expect(joined(rows, 'row')).toEqual(each)
  expect(joined(rows, 'row', '{% if row.price > 3 %}x{% endif %}')).toEqual(each)
  expect(joined(rows, 'rows', '{% for row in rows %}{{ row.market }}{% endfor %}')).toEqual(whole)
  expect(joined(rows, 'rows', '{{ rows.size }} {{ rows.first.market }}')).toEqual(whole)
  expect(joined(rows, 'rows', '{{ rows | json }}')).toEqual(whole)
  // A template that does not use the input yet is assumed to use one element of the list.
  expect(joined(rows, 'row', '{{ arrow.market }}')).toEqual(each)
  expect(joined({ type: 'object' }, 'row')).toEqual({
    problem: null,
    each: false,
    isChoice: false,
    misfit: null,
    replaces: [],
  })
  // An output whose kind is not known may produce a list, but need not.
  expect(joined({}, 'row')).toEqual({ problem: null, each: false, isChoice: false, misfit: null, replaces: [] })
})

test('a list led to a port that takes several is taken whole, and never run over', () => {
  const prompt = { ...port({ type: 'string' }), required: false, many: true, accepts_holes: false }
  const many = (schema: Record<string, unknown>) => joined(schema, 'prompt', '', { ...chat, inputs: { prompt } })
  expect(many(listOf({ type: 'string' }))).toEqual(whole)
  expect(many({ type: 'string' })).toEqual(whole)
  expect(many(listOf({ type: 'object' })).problem).toMatch(/does not fit/)
})

test('an edge leads from an output to an input, in whatever order they were touched', () => {
  const out = { node: 'a', port: 'o', side: 'source' as const }
  const into = { node: 'b', port: 'i', side: 'target' as const }
  expect(edgeBetween(into, out)).toEqual({ from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } })
  expect(edgeBetween(out, { ...into, side: 'source' })).toBeNull()
})
