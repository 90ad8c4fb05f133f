// In charge of the sample node types that the tests of the graph rules use.
import { fileSchema, type GraphEdge } from './definition.ts'
import type { NodeTypes } from './graph-rules.ts'
import type { InputPort, NodeType } from './node-types.ts'

const port = (schema: Record<string, unknown>) => ({ title: 'Port', description: 'A port.', schema })
const input = (schema: Record<string, unknown>, more: Partial<InputPort> = {}): InputPort => ({
  ...port(schema),
  required: true,
  many: false,
  accepts_holes: false,
  ...more,
})

const type = (name: string, more: Partial<NodeType>): [string, NodeType] => [
  name,
  {
    type: name,
    version: 1,
    title: name,
    summary: 'A sample.',
    help: '',
    group: 'other',
    params: { type: 'object', properties: {}, additionalProperties: false },
    inputs: {},
    outputs: {},
    open_inputs: false,
    credits: { least: 0, most: 0, note: 'Free.' },
    cacheable: true,
    retry_safe: true,
    pure: false,
    gate: false,
    available: true,
    unavailable_reason: null,
    replaced_by: null,
    earlier: [],
    ...more,
  },
]

const text = { type: 'string' }
const textParams = {
  type: 'object',
  additionalProperties: false,
  required: ['text'],
  properties: { text, mode: { type: 'string', enum: ['plain', 'loud'], default: 'plain' } },
}

export const nodeTypes: NodeTypes = new Map([
  type('text', { params: textParams, outputs: { out: port(text) } }),
  type('shout', { inputs: { text: input(text) }, outputs: { text: port(text) } }),
  type('lines', { outputs: { lines: port({ type: 'array', items: text }) } }),
  type('join', { inputs: { all: input(text, { many: true, required: false }) }, outputs: { text: port(text) } }),
  type('template', { open_inputs: true, outputs: { text: port(text) } }),
  type('paint', {
    params: { type: 'object', properties: { size: { type: 'integer', maximum: 8 } } },
    outputs: { file: port({ ...fileSchema }) },
    available: false,
    unavailable_reason: 'OPENAI_API_KEY is not set',
  }),
  type('old', { version: 3, available: false, replaced_by: { type: 'shout', version: 1 } }),
])

/** Makes an edge between two ports, each written as `node.port`. */
export function edge(from: string, to: string): GraphEdge {
  const [node = '', port = ''] = from.split('.')
  const [toNode = '', toPort = ''] = to.split('.')
  return { from: { node, port }, to: { node: toNode, port: toPort } }
}
