// In charge of the wire shapes of requests about runs, and of responses other than the run itself.
import Type from 'typebox'
import { NodeStatus, RunStatus } from './enums.ts'
import { checkpointMembers, GraphRun, NodeRunState } from './graphs.ts'
import { taskLimits } from './task-limits.ts'
import { AnyJson, Closed, Count, DateTime, Id, Nullable, OpenObject, Reference } from './wire/schema.ts'
import { valueError } from './wire/validation-errors.ts'

export const targets = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 2000,
  description: 'Node ids: only what they need is done. Empty: everything.',
})
const fromRun = Nullable(Reference({ description: 'The run whose outputs, rolls and answers seed this one.' }))

const maxCost = Type.Optional(
  Nullable(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000_000_000,
      description:
        'What the start may cost in money, in millionths of the currency of prices. A call that would go beyond it is not made.',
    }),
  ),
)

export const RunCreate = Closed(
  {
    targets: Type.Optional(targets),
    from_run: Type.Optional(fromRun),
    task_id: Type.Optional(Nullable(Reference({ description: 'The task it is for.' }))),
    pinned_task_id: Type.Optional(Nullable(Reference({ description: 'Where exports go by default.' }))),
    variation_num: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 1,
          maximum: taskLimits.variation_num,
          description: 'The variant of the task it is for: `task.fields` gives that one, and exports go to its names.',
        }),
      ),
    ),
    execute: Type.Optional(Type.Boolean({ description: 'Whether it starts at once. False unless said otherwise.' })),
    max_cost: maxCost,
  },
  { $id: 'RunCreate' },
)
export type RunCreate = Type.Static<typeof RunCreate>

export const Invocation = Closed(
  {
    node_id: Type.String({ minLength: 1, description: 'The node to run anew.' }),
    item: Type.Optional(Nullable(Type.Integer({ description: 'One item of it, by index; null: all of the node.' }))),
    inputs: Type.Optional(
      Nullable(
        OpenObject(
          'Input port → value of its own, in place of what the graph gives there. It stays with the node or item; left out, it is as it was; null or empty ends it.',
        ),
      ),
    ),
  },
  { $id: 'Invocation', description: 'A node, or one item of it, that is to be rolled again.' },
)
export type Invocation = Type.Static<typeof Invocation>

export const TakeId = Type.String({
  pattern: '^[0-9a-f]{64}$',
  'x-error': valueError('must be the id of a take, as the list of takes names it'),
  description: 'The take, as `GET …/takes` names it.',
})

const TakeChoice = Closed(
  {
    node_id: Type.String({ minLength: 1, description: 'The node.' }),
    item: Type.Optional(Nullable(Type.Integer({ description: 'The item, of a node that runs once per element.' }))),
    take: TakeId,
  },
  { $id: 'TakeChoice', description: 'What an earlier roll of a node, or of one item of it, gave.' },
)

export const RunStart = Closed(
  {
    targets: Type.Optional(targets),
    from_run: Type.Optional(fromRun),
    regenerate: Type.Optional(Type.Array(Invocation, { maxItems: 5000, description: 'What is to be rolled again.' })),
    choose: Type.Optional(
      Type.Array(TakeChoice, {
        maxItems: 100,
        description: 'What goes back to what an earlier roll gave; nothing is paid for it.',
      }),
    ),
    execute: Type.Optional(
      Type.Boolean({
        description: 'True unless said otherwise. False: prepare everything, but leave the run a draft.',
      }),
    ),
    max_cost: maxCost,
  },
  { $id: 'RunStart', description: 'No body, null and `{}` mean the same: run everything again.' },
)
export type RunStart = Type.Static<typeof RunStart>

export const RunPatch = Closed(
  {
    definition: Type.Optional(OpenObject('Replaces the definition; what is wrong with it is told in `errors`.')),
    ui_state: Type.Optional(OpenObject('Replaces the layout.')),
    targets: Type.Optional(targets),
    pinned_task_id: Type.Optional(Nullable(Reference())),
  },
  { $id: 'RunPatch', description: 'Members left out stay as they are.' },
)
export type RunPatch = Type.Static<typeof RunPatch>

export const RunAnswer = Closed(
  {
    node_id: Type.String({ minLength: 1, description: 'The gate.' }),
    item: Type.Optional(Nullable(Type.Integer({ minimum: 0, description: 'The item, of a gate that asks for each.' }))),
    asked: Type.Optional(
      Nullable(
        Type.String({
          pattern: '^[0-9a-f]{64}$',
          'x-error': valueError('must be the `asked` of a question of the gate'),
          description:
            'Which question was seen: `asked` of the gate’s, or its item’s, `checkpoint`. If the gate asks another by now, the answer is refused. Left out: it counts for whatever is asked now.',
        }),
      ),
    ),
    answer: AnyJson('What the gate’s request asks for.'),
  },
  { $id: 'RunAnswer' },
)
export type RunAnswer = Type.Static<typeof RunAnswer>

export const PromotePlan = Closed(
  {
    definition: OpenObject('Nodes and edges as the graph would have them.'),
    graph_changed: Type.Boolean({
      description: 'Whether the graph has another definition by now than the one of which the run was made.',
    }),
  },
  { $id: 'PromotePlan', description: 'What a promote would write, as things stand.' },
)

const CheckpointState = Closed({
  status: NodeStatus,
  outputs: NodeRunState.properties.outputs,
  error: Type.String({ description: 'Empty where nothing went wrong.' }),
  items: Nullable(Count({ description: 'How many items it had; null for a node that runs once.' })),
})

export const RunCheckpoint = Closed(
  {
    ...checkpointMembers,
    status: RunStatus,
    error: Nullable(Type.String()),
    targets: Type.Array(Type.String()),
    nodes: Type.Record(Type.String(), CheckpointState, { description: 'Node id → what it had come to.' }),
    answers: OpenObject('Node id, or node id/item, → the answer it had.'),
  },
  { $id: 'RunCheckpoint', description: 'How a run stood at a time: what going back to it would bring.' },
)
export type RunCheckpoint = Type.Static<typeof RunCheckpoint>

export const HistoryRestore = Closed(
  { at: DateTime({ description: 'The point to go back to: the newest checkpoint not after it.' }) },
  { $id: 'HistoryRestore' },
)

export const RunCard = Closed(
  {
    id: Id(),
    graph_id: Nullable(Type.String()),
    graph_name: Nullable(Type.String({ description: 'Null once the graph is gone.' })),
    status: RunStatus,
    error: Nullable(Type.String()),
    task_id: Nullable(Type.String()),
    pinned_task_id: Nullable(Type.String()),
    owner_id: Id(),
    generation: Type.Integer(),
    credits_consumed: Type.Number(),
    credits_total: Type.Number(),
    edited: Type.Boolean(),
    copied_from: Nullable(Type.String()),
    exported_at: Nullable(DateTime()),
    exported_creatives: Count({ description: 'How many creatives its files became.' }),
    created_at: DateTime(),
    updated_at: DateTime(),
    started_at: Nullable(DateTime()),
    finished_at: Nullable(DateTime()),
    deleted_at: Nullable(DateTime()),
  },
  { $id: 'RunCard', description: 'A run as lists show it.' },
)

export const Take = Closed(
  {
    id: TakeId,
    outputs: Nullable(
      OpenObject(
        'Port → value, long ones short. Null where the list has more than 8 MB: the take is there all the same.',
      ),
    ),
    inputs: Nullable(OpenObject('Inputs of its own that it was made with; null where it had none.')),
    credits: Type.Number({ description: 'What making it cost, as far as that is still known.' }),
    generation: Type.Integer({ description: 'The generation of the run that it was made in, or last held in.' }),
    made_at: DateTime(),
    current: Type.Boolean({ description: 'Whether it is what the run goes on with.' }),
    chosen: Type.Boolean({ description: 'Whether somebody has gone back to it.' }),
    pinned: Type.Boolean({ description: 'Whether somebody keeps it.' }),
    outdated: Type.Boolean({
      description:
        'Whether what it was made of is another by now (a prompt, a picture before it): then it cannot be chosen.',
    }),
  },
  { $id: 'Take', description: 'What one roll of a node, or of one item of it, gave.' },
)
export type Take = Type.Static<typeof Take>

export const Takes = Closed(
  {
    inputs: Nullable(OpenObject('Inputs of its own that the node or item has now; null where it has none.')),
    takes: Type.Array(Take, { description: 'Newest first: at most 100, those that somebody keeps before others.' }),
  },
  { $id: 'Takes' },
)
export type Takes = Type.Static<typeof Takes>

export const TakePatch = Closed({ pinned: Type.Boolean({ description: 'Whether it is kept.' }) }, { $id: 'TakePatch' })

const amount = Type.Integer({ minimum: 0, description: 'In millionths of the currency.' })
const moneyMembers = {
  least: amount,
  most: Nullable(Type.Integer({ minimum: 0, description: 'In millionths; null where nobody can say.' })),
  unpriced: Type.Array(Type.String(), { description: 'Models whose price is not known: none is guessed.' }),
}
const currency = Type.String({ description: 'Its code in ISO 4217, such as USD.' })

export const planOutcomes = ['cached', 'free', 'paid', 'asks', 'unknown'] as const
const credits = Closed({
  least: Type.Number(),
  most: Nullable(Type.Number({ description: 'Null where nobody can say.' })),
})
export const RunPlan = Closed(
  {
    nodes: Type.Record(
      Type.String(),
      Closed({
        outcome: Type.Unsafe<(typeof planOutcomes)[number]>({
          type: 'string',
          enum: [...planOutcomes],
          description:
            'cached: served from the cache · free: runs and costs nothing · paid: runs and costs · asks: a gate without an answer · unknown: hangs on what is not known yet.',
        }),
        calls: Nullable(Count({ description: 'Items, or 1; null where not known yet.' })),
        cached: Count({ description: 'Of these, how many are in the cache.' }),
        credits,
        money: Closed(moneyMembers),
      }),
    ),
    credits,
    money: Closed(
      { currency, ...moneyMembers },
      { description: 'What providers would be paid: exact where the price of each call is fixed.' },
    ),
  },
  { $id: 'RunPlan', description: 'What a start with the same body would do, without doing it.' },
)
export type RunPlan = Type.Static<typeof RunPlan>

export const NodeChanges = Closed(
  {
    ...NodeRunState.properties,
    item_count: Nullable(Count({ description: 'Items of the node; null if it does not run once per element.' })),
  },
  {
    $id: 'NodeChanges',
    description:
      'A node of which something changed; of its items only those that did. The `outputs` of a node with items are empty here: they are those of its items.',
  },
)
export type NodeChanges = Type.Static<typeof NodeChanges>

const { definition, ui_state, answers, nodes: _nodes, ...runMembers } = GraphRun.properties
export const RunChanges = Closed(
  {
    since: Type.String({ description: 'Send it with the next request to get what changed after this answer.' }),
    whole: Type.Boolean({
      description: 'Whether this is all there is: what you hold and do not find here is gone.',
    }),
    run: Closed(
      {
        ...runMembers,
        definition: Type.Optional(definition),
        ui_state: Type.Optional(ui_state),
        answers: Type.Optional(answers),
      },
      { description: 'The run. Absent: the definition, layout and answers are as you hold them.' },
    ),
    nodes: Type.Record(Type.String(), NodeChanges, {
      description: 'Node id → its state. A node that is absent is as you hold it.',
    }),
  },
  { $id: 'RunChanges', description: 'What of a run reads otherwise than it did.' },
)
export type RunChanges = Type.Static<typeof RunChanges>

export const RunNodeChanges = Closed(
  {
    since: RunChanges.properties.since,
    whole: RunChanges.properties.whole,
    node: Nullable(NodeChanges),
  },
  {
    $id: 'RunNodeChanges',
    description:
      'What of one node of a run reads otherwise than it did. `node` is null where it is as you hold it, or has no state yet.',
  },
)
