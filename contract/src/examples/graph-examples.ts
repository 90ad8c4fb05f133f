// In charge of the example graph that the documentation shows, and of the records related to the graph.
import type { Static } from 'typebox'
import type { NodeType } from '../graph/node-types.ts'
import type { Checkpoint, GraphCard, NodeGraph } from '../graphs.ts'
import { examples } from './examples.ts'

const [brief, hook] = ['Glow serum, dull skin', 'Glow in five minutes: see what changes.']
/** The template of the node that writes the hooks, one a line. */
const hooks = ['Dull skin? Not for long.', '{{ brief }}: one drop a day.', hook]

const graph = {
  id: '019a3c62-2d41-7b0e-8f6a-7c1d9e4b5a08',
  name: 'Hooks',
  description: 'Three hooks for a brief, a picture for each, and one of them picked.',
  definition: {
    schema: 1,
    nodes: {
      brief: { type: 'input.text', version: 1, params: { value: brief } },
      prompt: { type: 'text.template', version: 1, params: { template: hooks.join('\n') } },
      hooks: { type: 'text.split', version: 1, params: {} },
      images: { type: 'sample.image', version: 1, params: { width: 1080, height: 1350 }, each: ['prompt'] },
      pick: { type: 'gate.choose', version: 1, params: {} },
    },
    edges: [
      { from: { node: 'brief', port: 'text' }, to: { node: 'prompt', port: 'brief' } },
      { from: { node: 'prompt', port: 'text' }, to: { node: 'hooks', port: 'text' } },
      { from: { node: 'hooks', port: 'parts' }, to: { node: 'images', port: 'prompt' } },
      { from: { node: 'images', port: 'image' }, to: { node: 'pick', port: 'options' } },
    ],
  },
  ui_state: { nodes: { brief: { x: 0, y: 0 }, prompt: { x: 320, y: 0 }, hooks: { x: 640, y: 0 } } },
  forked_from: null,
  template: true,
  owner_id: examples.ids.user,
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-03T08:15:00.000Z',
  deleted_at: null,
} satisfies NodeGraph

const { definition: _definition, ui_state: _layout, ...shared } = graph

const nodeType = {
  type: 'input.text',
  version: 1,
  title: 'Text',
  summary: 'A text that is written into the graph.',
  help: 'Write the text; lead an edge from it to wherever it is needed.',
  group: 'input',
  params: {
    type: 'object',
    properties: { value: { type: 'string', title: 'Text', default: '' } },
    additionalProperties: false,
  },
  inputs: {},
  outputs: { text: { title: 'Text', description: 'What was written.', schema: { type: 'string' } } },
  open_inputs: false,
  credits: { least: 0, most: 0, note: 'Free.' },
  cacheable: true,
  retry_safe: true,
  pure: true,
  gate: false,
  available: true,
  unavailable_reason: null,
  replaced_by: null,
  earlier: [],
} satisfies NodeType

export const graphExamples = {
  graph,
  card: { ...shared, node_count: 5 } satisfies GraphCard,
  fork: {
    ...graph,
    id: '019a3c66-8e90-7c2d-a1b3-3f5e7d9c1b09',
    name: 'Hooks, autumn',
    forked_from: graph.id,
    template: false,
  } satisfies NodeGraph,
  historyEntry: {
    at: '2026-03-03T08:15:00.000Z',
    kind: 'edited',
    by: { user_id: examples.ids.user, token_id: null, name: examples.user.name },
    summary: '1 node added, 1 edge added',
  },
  checkpoint: {
    at: '2026-03-03T08:15:00.000Z',
    kind: 'edited',
    definition: graph.definition,
    ui_state: graph.ui_state,
    name: graph.name,
    description: graph.description,
  } satisfies Static<typeof Checkpoint>,
  nodeType,
  /** What the node `prompt` makes of its template. */
  text: hooks.join('\n').replace('{{ brief }}', brief),
  hook,
}
