// In charge of the wire shape of node types: ports, costs, and whether nodes may be retried or cached.
import Type from 'typebox'
import { Closed, Nullable, OpenObject } from '../wire/schema.ts'
import { type NodeGroup, nodeGroups } from './node-groups.ts'

const port = {
  title: Type.String({ description: 'A short label.' }),
  description: Type.String({ description: 'What it takes or gives, in a sentence.' }),
  schema: OpenObject('JSON Schema (2020-12) of its value; `x-atelier: file` marks a file.'),
}

export const InputPort = Closed(
  {
    ...port,
    required: Type.Boolean({ description: 'Whether a node without a value for it is refused.' }),
    many: Type.Boolean({
      description:
        'Whether several edges may lead to it: their values are a list, in the order of the edges. A list that arrives counts ' +
        'as its elements, unless `schema` takes lists.',
    }),
    accepts_holes: Type.Boolean({
      description: 'Whether a list with failed items is taken as the list of the others; if not, the node is skipped.',
    }),
  },
  { $id: 'InputPort' },
)
export type InputPort = Type.Static<typeof InputPort>

export const OutputPort = Closed(port, { $id: 'OutputPort' })
export type OutputPort = Type.Static<typeof OutputPort>

const fields = {
  type: Type.String({ description: 'Its name in definitions, such as `llm.chat`.' }),
  version: Type.Integer({ minimum: 1, description: 'Rises when the meaning of params or ports changes.' }),
  title: Type.String(),
  summary: Type.String({ description: 'What it does, in a line.' }),
  help: Type.String({ description: 'How to use it, in Markdown.' }),
  group: Type.Unsafe<NodeGroup>({
    type: 'string',
    enum: [...nodeGroups],
    description: 'Where the palette lists it.',
  }),
  params: OpenObject('JSON Schema (2020-12) of its params, an object; forms are built from it.'),
  inputs: Type.Record(Type.String(), InputPort, { description: 'Input port → what it takes.' }),
  outputs: Type.Record(Type.String(), OutputPort, { description: 'Output port → what it gives.' }),
  open_inputs: Type.Boolean({ description: 'Whether it takes input ports of any other name too, as variables.' }),
  credits: Closed(
    {
      least: Type.Number({ description: 'The least one call can cost.' }),
      most: Nullable(Type.Number({ description: 'The most one call can cost; null where nobody can say.' })),
      note: Type.String({ description: 'What the price hangs on.' }),
    },
    { description: 'What one call costs: once per node, or once per item.' },
  ),
  cacheable: Type.Boolean({ description: 'Whether an equal call is answered from the node cache.' }),
  retry_safe: Type.Boolean({ description: 'Whether a call that may have happened may be repeated.' }),
  pure: Type.Boolean({
    description: 'Whether it is free, waits for nothing, and gives the same for the same: made anew.',
  }),
  gate: Type.Boolean({ description: 'Whether it asks a person.' }),
  available: Type.Boolean({ description: 'Whether this deployment can run it.' }),
  unavailable_reason: Nullable(Type.String({ description: 'What is missing, and how to provide it.' })),
  replaced_by: Nullable(
    Closed({ type: Type.String(), version: Type.Integer() }, { description: 'The successor of a dropped type.' }),
  ),
}

export const NodeVersion = Closed(fields, {
  $id: 'NodeVersion',
  description: 'One version of a kind of node: what it takes, gives, costs, and promises.',
})
export type NodeVersion = Type.Static<typeof NodeVersion>

export const NodeType = Closed(
  {
    ...fields,
    earlier: Type.Array(NodeVersion, {
      description: 'Versions before this one that still run, newest first. Nodes are added at the newest.',
    }),
  },
  { $id: 'NodeType', description: 'A kind of node, at its newest version.' },
)
export type NodeType = Type.Static<typeof NodeType>
