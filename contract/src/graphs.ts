// In charge of the wire shapes of graphs and runs.
import Type from 'typebox'
import { NodeStatus, RunStatus } from './enums.ts'
import { Closed, Count, DateTime, Id, Line, Nullable, OpenObject, Reference, Text } from './wire/schema.ts'
import { Author } from './workspace.ts'

const stamp = (description: string) => Nullable(DateTime({ description }))

export const NodeGraph = Closed(
  {
    id: Id({ description: 'UUIDv7.' }),
    name: Type.String(),
    description: Type.String({ default: '' }),
    definition: OpenObject('Nodes and edges.'),
    ui_state: OpenObject('Layout.'),
    forked_from: Nullable(Type.String({ description: 'The graph it was forked from.' })),
    template: Type.Boolean({ default: false, description: 'Listed as a starting point.' }),
    owner_id: Id(),
    created_at: DateTime(),
    updated_at: DateTime(),
    deleted_at: stamp('Set for soft-deleted graphs.'),
  },
  { $id: 'NodeGraph' },
)
export type NodeGraph = Type.Static<typeof NodeGraph>

const { definition: _definition, ui_state: _layout, ...cardMembers } = NodeGraph.properties
export const GraphCard = Closed(
  { ...cardMembers, node_count: Count({ description: 'How many nodes it has.' }) },
  { $id: 'GraphCard', description: 'A graph as lists show it.' },
)
export type GraphCard = Type.Static<typeof GraphCard>

const writable = {
  name: Line(255, { description: 'What people call it.' }),
  description: Text(20_000),
  definition: OpenObject('Replaces the definition; what is wrong with it is told in `errors`. 4 MB at most.'),
  ui_state: OpenObject('Replaces the layout. 4 MB at most.'),
  template: Type.Boolean({ description: 'Whether it is listed as a starting point.' }),
}
export const GraphPatch = Closed(
  {
    name: Type.Optional(writable.name),
    description: Type.Optional(writable.description),
    definition: Type.Optional(writable.definition),
    ui_state: Type.Optional(writable.ui_state),
    template: Type.Optional(writable.template),
  },
  { $id: 'GraphPatch', description: 'Members left out stay as they are.' },
)
export type GraphPatch = Type.Static<typeof GraphPatch>

export const GraphCreate = Closed(
  { ...GraphPatch.properties, name: writable.name },
  { $id: 'GraphCreate', description: 'Without a definition it has no nodes.' },
)
export type GraphCreate = Type.Static<typeof GraphCreate>

export const GraphFork = Closed(
  { name: Type.Optional(Line(255, { description: 'By default the name of the original, or of a copy of it.' })) },
  { $id: 'GraphFork' },
)

export const HandOver = Closed(
  { to: Reference({ description: 'The active person who owns the graphs from now on.' }) },
  { $id: 'HandOver' },
)

export const HistoryEntry = Closed(
  {
    at: DateTime({ description: 'When it began to stand so; what `history/restore` takes.' }),
    kind: Type.String({
      description: 'What happened: `created`, `forked`, `edited`, `layout`, `renamed`, `restored`, …',
    }),
    by: Nullable(Author),
    summary: Type.String({ description: 'The same in a few words.' }),
  },
  { $id: 'HistoryEntry', description: 'A checkpoint: how a graph or a run stood from a time on.' },
)

/** What the checkpoints of graphs and of runs have in common. */
export const checkpointMembers = {
  at: DateTime({ description: 'When it began to stand so.' }),
  kind: Type.String(),
  definition: OpenObject('Nodes and edges, as they were.'),
  ui_state: OpenObject('Layout, as it was.'),
}

export const Checkpoint = Closed(
  {
    ...checkpointMembers,
    name: Type.String({ description: 'The name, as it was.' }),
    description: Type.String({ description: 'The description, as it was.' }),
  },
  { $id: 'Checkpoint', description: 'How a graph stood at a time: what going back to it would bring.' },
)

const itemMembers = {
  status: NodeStatus,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  outputs: OpenObject(
    'Output port → value. Of a node that runs once per element: port → list, null where an item failed. A value longer than 64 KB as JSON stands here as `{"$value": {digest, bytes, type, head}}`, and `GET /runs/{run_id}/nodes/{node}/outputs/{port}` has it whole; keys `$value` of what a node made have a `$` more.',
  ),
  error: Type.String({ description: 'What went wrong and what to do; empty where nothing did.' }),
  message: Type.String({ description: 'What it says of itself; empty where nothing.' }),
  credits_consumed: Type.Number({
    description: 'Paid in this generation; after a history restore, in the one that the run went back to.',
  }),
  duration_seconds: Type.Number({ description: 'From its start to its end, seconds.' }),
  checkpoint: OpenObject(
    'What a later attempt needs to go on; of an open gate: `request`, what it asks, and `asked`, a hash of that.',
  ),
}

export const NodeRunState = Closed(
  {
    ...itemMembers,
    items: Type.Record(Type.String(), Closed(itemMembers), {
      description: 'Index of the item → its state, for nodes that run once per element.',
    }),
    started_at: Type.Optional(DateTime({ description: 'Absent until it starts.' })),
  },
  { $id: 'NodeRunState', description: 'Execution state of one node.' },
)
export type NodeRunState = Type.Static<typeof NodeRunState>

export const PendingInput = Closed(
  {
    node_id: Type.String(),
    item_index: Nullable(Type.Integer()),
    item_count: Nullable(Type.Integer()),
    request: OpenObject('What the gate asks.'),
  },
  { $id: 'PendingInput' },
)

export const GraphRun = Closed(
  {
    id: Id({ description: 'UUIDv7.' }),
    graph_id: Nullable(Type.String({ description: 'The graph it belongs to.' })),
    definition: OpenObject("The instance's own copy of the graph definition."),
    ui_state: OpenObject('Layout.'),
    status: RunStatus,
    nodes: Type.Record(Type.String(), NodeRunState),
    error: Nullable(Type.String()),
    targets: Type.Array(Type.String()),
    credits_consumed: Type.Number({
      default: 0,
      description: 'Paid by the current generation: 0 after a history restore.',
    }),
    credits_total: Type.Number({ default: 0, description: "Paid over the instance's whole life." }),
    cancel_requested: Type.Boolean({ default: false }),
    cancel_requested_at: stamp('When cancelling was asked.'),
    answers: OpenObject('Node id, or node id/item → answer.'),
    pending_input: Nullable(PendingInput),
    regenerate: Type.Array(Type.String(), { description: 'What the current generation re-rolls.' }),
    seed_run_id: Nullable(Type.String({ description: 'The run whose outputs seed this one.' })),
    pinned_task_id: Nullable(Type.String({ description: 'Where exports go by default.' })),
    forked_signature: Type.String({ default: '', description: 'Hash of the definition when it was copied.' }),
    edited: Type.Boolean({ default: false, description: 'Whether the definition differs from what was copied.' }),
    copied_from: Nullable(Type.String({ description: 'The original of a fork.' })),
    exported_at: stamp('Set once the run has exported.'),
    exported_creatives: Type.Array(Type.String()),
    produced_at: stamp('First time a target succeeded in this generation.'),
    generation: Type.Integer({ default: 0 }),
    task_id: Nullable(Type.String({ description: 'The task it was started for.' })),
    owner_id: Id(),
    created_at: DateTime(),
    updated_at: DateTime(),
    started_at: stamp('When this generation started.'),
    finished_at: stamp('When this generation came to rest.'),
    heartbeat_at: stamp('Last sign of its worker.'),
    deleted_at: stamp('Set for soft-deleted runs.'),
  },
  { $id: 'GraphRun', description: 'An instance of a graph.' },
)
export type GraphRun = Type.Static<typeof GraphRun>
