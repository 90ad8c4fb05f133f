// In charge of the wire shapes of graphs and of their runs.
import Type from 'typebox'
import { NodeStatus, RunStatus } from './enums.ts'
import { Closed, DateTime, Id, Nullable, OpenObject } from './schema.ts'

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

const itemMembers = {
  status: NodeStatus,
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  outputs: OpenObject('Output port → value.'),
  error: Type.String(),
  message: Type.String(),
  credits_consumed: Type.Number(),
  duration_seconds: Type.Number(),
  checkpoint: OpenObject('What the node type needs to go on after a crash.'),
}

export const NodeRunState = Closed(
  {
    ...itemMembers,
    items: Type.Record(Type.String(), Closed(itemMembers), { description: 'Item key → state, for fan-out nodes.' }),
    started_at: DateTime(),
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
    credits_consumed: Type.Number({ default: 0, description: 'Paid by the current generation.' }),
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
