// In charge of the wire shapes of automations: an automation starts a run when a task enters a status.
import Type from 'typebox'
import { TaskStatus } from './enums.ts'
import { ExportOutput } from './exports.ts'
import { targets } from './runs.ts'
import { Closed, DateTime, Id, Line, Nullable, OpenObject, Reference } from './wire/schema.ts'

const query = Nullable(
  OpenObject(
    'Which of the tasks that enter it is for: a rule group, the same JSON as the `query` of feeds; a date without a time is 00:00 UTC of that day. Null: all of them.',
  ),
)
const outputs = Type.Array(ExportOutput, {
  maxItems: 500,
  description: 'Put on the card when the run has succeeded, as `POST /runs/{id}/export` does. Empty: nothing.',
})

const members = {
  name: Line(120, { description: 'What people call it; activity says so where it did something.' }),
  enabled: Type.Boolean({ description: 'Whether tasks that enter the status start it.' }),
  on_status: TaskStatus,
  query,
  graph_id: Reference({ description: 'The graph that a run is started of.' }),
  targets,
  outputs,
  to_status: Nullable(TaskStatus, {
    description: 'Where the task is moved then, if it still stands where it was. Null: it stays.',
  }),
}

export const Automation = Closed(
  {
    id: Id({ description: 'UUIDv7.' }),
    ...members,
    owner_id: Id({
      description: 'In whose name it acts: whoever wrote it last, a person or the token of an integration.',
    }),
    created_at: DateTime(),
    updated_at: DateTime(),
  },
  { $id: 'Automation', description: 'On entering a status: run a graph for the task, put files on its card, move it.' },
)
export type Automation = Type.Static<typeof Automation>

const { name, on_status, graph_id, ...settable } = members
const optional = Type.Partial(Type.Object(settable)).properties

export const AutomationCreate = Closed(
  { name, on_status, graph_id, ...optional },
  {
    $id: 'AutomationCreate',
    description: 'Enabled, for every task, everything in the graph, nothing exported and nothing moved unless said.',
  },
)
export type AutomationCreate = Type.Static<typeof AutomationCreate>

export const AutomationPatch = Closed(Type.Partial(Type.Object(members)).properties, {
  $id: 'AutomationPatch',
  description: 'Members left out stay as they are.',
})
export type AutomationPatch = Type.Static<typeof AutomationPatch>
