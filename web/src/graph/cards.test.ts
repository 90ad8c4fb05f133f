// Facts about what a node's card shows.
import { readDefinition } from '@atelier/contract/graph-rules.ts'
import type { NodeType } from '@atelier/contract/node-types.ts'
import { expect, test } from 'vitest'
import { cardHeight, cardViews } from './cards.ts'
import { edgeBetween, named } from './connecting.ts'

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
  expect(named(to('hook'), view).to.port).toBe('hook')
  expect(named(to('text'), view).to.port).toBe('text_2')
})

test('an edge leads from an output to an input, in whatever order they were touched', () => {
  const out = { node: 'a', port: 'o', side: 'source' as const }
  const into = { node: 'b', port: 'i', side: 'target' as const }
  expect(edgeBetween(into, out)).toEqual({ from: { node: 'a', port: 'o' }, to: { node: 'b', port: 'i' } })
  expect(edgeBetween(out, { ...into, side: 'source' })).toBeNull()
})
