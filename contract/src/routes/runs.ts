// In charge of the routes for runs: for example creating, reading and starting a run, and answering its questions. `run-record.ts`
// has those for what a run leaves behind.
import Type from 'typebox'
import { RunStatus } from '../enums.ts'
import { examplePage } from '../examples/examples.ts'
import { runExamples } from '../examples/run-examples.ts'
import { GraphRun } from '../graphs.ts'
import {
  RunAnswer,
  RunCard,
  RunChanges,
  RunCreate,
  RunNodeChanges,
  RunPatch,
  RunPlan,
  RunStart,
  TakeId,
  TakePatch,
  Takes,
} from '../runs.ts'
import { Page, pageSizes } from '../wire/envelope.ts'
import { AnyJson, Closed, Digest, Id, Reference } from '../wire/schema.ts'
import { valueError } from '../wire/validation-errors.ts'
import { cursor, graphBodyBytes, graphId, limit, route, runId } from './building.ts'
import type { Route } from './route.ts'

/** The refusals of a start because of money: its price is unknown, or it needs a limit, a larger budget or an approval. */
const moneyRefusals = ['price_unknown', 'limit_needed', 'budget_exceeded', 'approval_needed'] as const

const unitParams = Closed({
  run_id: Id({ description: 'Run id.' }),
  node: Type.String({ description: 'Id of the node in the definition.' }),
})

const itemQuery = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 2_147_483_647,
    description: 'The item, of a node that runs once per element.',
  }),
)

const changesQuery = Closed({
  since: Type.Optional(
    Type.String({
      pattern: '^[0-9]{1,10}\\.[0-9]{1,15}$',
      'x-error': valueError('must be the `since` of an earlier answer'),
      description: 'As an answer before gave it.',
    }),
  ),
})

export const runsRoutes = {
  createRun: route({
    id: 'createRun',
    method: 'POST',
    path: '/api/v1/graphs/{graph_id}/runs',
    tag: 'Runs',
    summary: 'Make a run of a graph',
    description:
      'With its own copy of definition and layout: a draft, or started at once with `execute`. `from_run` names a run whose outputs, rolls and answers seed it.',
    access: 'runs:write',
    params: graphId,
    body: RunCreate,
    bodyOptional: true,
    data: GraphRun,
    refuses: ['graph_deleted', ...moneyRefusals],
    idempotent: true,
    tagged: true,
    creates: true,
    examples: { body: { execute: true }, data: runExamples.run },
  }),
  listRuns: route({
    id: 'listRuns',
    method: 'GET',
    path: '/api/v1/runs',
    tag: 'Runs',
    summary: 'Runs, as cards',
    description: 'Newest first. `deleted=true`: those that can still be undeleted.',
    access: 'read',
    query: Closed({
      graph_id: Type.Optional(Reference({ description: 'Of this graph.' })),
      task_id: Type.Optional(Reference({ description: 'Started for this task, or pinned to it.' })),
      owner_id: Type.Optional(Reference({ description: 'Of this owner.' })),
      status: Type.Optional(RunStatus),
      search: Type.Optional(
        Type.String({ maxLength: 255, description: 'Part of the name of the graph, in any case.' }),
      ),
      deleted: Type.Optional(Type.Boolean({ default: false, description: 'Deleted ones instead of live ones.' })),
      limit: limit(pageSizes.list),
      cursor,
    }),
    data: Page(RunCard),
    examples: { data: examplePage(runExamples.card) },
  }),
  getRun: route({
    id: 'getRun',
    method: 'GET',
    path: '/api/v1/runs/{run_id}',
    tag: 'Runs',
    summary: 'A run, with the state of every node',
    description: 'A deleted run is readable while its retention window lasts.',
    access: 'read',
    params: runId,
    data: GraphRun,
    tagged: true,
    examples: { data: runExamples.run },
  }),
  getRunChanges: route({
    id: 'getRunChanges',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/changes',
    tag: 'Runs',
    summary: 'What changed of a run',
    description:
      'For whoever watches a run: send `since` of the answer before, and lay what comes over what you hold. Nodes and items that are as they were are absent. Without `since`, and where that does not tell enough, for instance after a restore, the answer is `whole`.',
    access: 'read',
    params: runId,
    query: changesQuery,
    data: RunChanges,
    tagged: true,
    examples: { data: runExamples.changes },
  }),
  getRunNode: route({
    id: 'getRunNode',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/nodes/{node}',
    tag: 'Runs',
    summary: 'What changed of one node of a run',
    description: 'As `GET /runs/{run_id}/changes` answers it, for whoever watches a single node.',
    access: 'read',
    params: unitParams,
    query: changesQuery,
    data: RunNodeChanges,
    examples: { data: runExamples.nodeChanges },
  }),
  getRunOutput: route({
    id: 'getRunOutput',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/nodes/{node}/outputs/{port}',
    tag: 'Runs',
    summary: 'One value that a node made, whole',
    description:
      'Values that are longer than 64 KB stand in `outputs` as `{"$value": {digest, bytes, type, head}}`; here they are as they were made, as JSON without an envelope. Send the `digest` to get that value or none: 404 where the node has made another one since.',
    access: 'read',
    params: Closed({
      run_id: Id({ description: 'Run id.' }),
      node: Type.String({ description: 'Id of the node in the definition.' }),
      port: Type.String({ description: 'Output port.' }),
    }),
    query: Closed({
      item: itemQuery,
      digest: Type.Optional(Digest({ description: 'As `$value` gave it.' })),
    }),
    data: AnyJson('The value.'),
    framing: 'bare',
    tagged: true,
    examples: { data: runExamples.run.nodes.prompt.outputs.text },
  }),
  getRunTakes: route({
    id: 'getRunTakes',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/nodes/{node}/takes',
    tag: 'Runs',
    summary: 'What the rolls of a node, or of one item of it, gave',
    description:
      'A re-roll keeps what was there before, within the bound on the results of a run; the oldest that nobody pinned or chose go first. Go back to one with `choose` of a start.',
    access: 'read',
    params: unitParams,
    query: Closed({ item: itemQuery }),
    data: Takes,
    examples: { data: { inputs: null, takes: [runExamples.take] } },
  }),
  patchRunTake: route({
    id: 'patchRunTake',
    method: 'PATCH',
    path: '/api/v1/runs/{run_id}/nodes/{node}/takes/{take}',
    tag: 'Runs',
    summary: 'Pin a take, or let it go',
    description: 'A pinned one goes last where the results of the run need the room. Also of a run that has exported.',
    access: 'runs:write',
    params: Closed({
      ...unitParams.properties,
      take: TakeId,
    }),
    query: Closed({ item: itemQuery }),
    body: TakePatch,
    data: Takes,
    refuses: ['run_deleted'],
    examples: { body: { pinned: true }, data: { inputs: null, takes: [{ ...runExamples.take, pinned: true }] } },
  }),
  patchRun: route({
    id: 'patchRun',
    method: 'PATCH',
    path: '/api/v1/runs/{run_id}',
    tag: 'Runs',
    summary: "Change a run's own copy of the graph",
    description:
      'Refused while the run is queued or running, and once it has exported (the pinned task can be changed even then). Another definition, or other targets while it is parked, make a draft of it: what still follows from the definition stays, open questions are void. What is wrong with the definition is told in `errors`.',
    access: 'runs:write',
    params: runId,
    body: RunPatch,
    bodyBytes: graphBodyBytes,
    data: GraphRun,
    refuses: ['run_busy', 'run_exported', 'run_deleted'],
    tagged: true,
    examples: { body: { targets: ['prompt'] }, data: runExamples.run },
  }),
  deleteRun: route({
    id: 'deleteRun',
    method: 'DELETE',
    path: '/api/v1/runs/{run_id}',
    tag: 'Runs',
    summary: 'Delete a run',
    description: 'It can be undeleted while the retention window lasts. A busy run is refused: cancel it first.',
    access: 'runs:write',
    params: runId,
    data: GraphRun,
    refuses: ['run_busy'],
    tagged: true,
    examples: { data: { ...runExamples.run, deleted_at: '2026-03-04T12:00:00.000Z' } },
  }),
  undeleteRun: route({
    id: 'undeleteRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/undelete',
    tag: 'Runs',
    summary: 'Undo the delete of a run',
    description: 'Inside the retention window. A live run is answered as it is.',
    access: 'runs:write',
    params: runId,
    data: GraphRun,
    refuses: ['retention_over'],
    tagged: true,
    examples: { data: runExamples.run },
  }),
  startRun: route({
    id: 'startRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/start',
    tag: 'Runs',
    summary: 'Execute the run again, or a fork of it once it has exported',
    description:
      'In place while nothing relies on the run: same id, next generation. After a file was put on a card: a new run of the same graph, with this one as `copied_from`. `regenerate` rolls nodes or single items again, `choose` goes back to what an earlier roll of one gave and pays nothing for it; parked at a gate, either takes the run over, and the gate asks again over what there is then. Everything else comes from the cache.',
    access: 'runs:write',
    params: runId,
    body: RunStart,
    bodyOptional: true,
    data: GraphRun,
    refuses: ['run_busy', 'run_deleted', 'graph_deleted', 'take_outdated', ...moneyRefusals],
    idempotent: true,
    tagged: true,
    minimal: true,
    examples: { body: { regenerate: [{ node_id: 'images', item: 2 }] }, data: runExamples.run },
  }),
  planRun: route({
    id: 'planRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/plan',
    tag: 'Runs',
    summary: 'What a start would do and cost, without doing it',
    description:
      'Takes the body of a start. Per node: cached, free, paid, asking or unknown; credits at least and at most.',
    access: 'read',
    effect: 'read',
    params: runId,
    body: RunStart,
    bodyOptional: true,
    data: RunPlan,
    refuses: ['take_outdated'],
    examples: { body: { regenerate: [{ node_id: 'images', item: 2 }] }, data: runExamples.plan },
  }),
  cancelRun: route({
    id: 'cancelRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/cancel',
    tag: 'Runs',
    summary: 'Stop a run',
    description:
      'At once where no worker has it. A worker is asked, aborts its calls, and keeps what has been paid for; one that does not heed loses the run after ten seconds. A draft or a run at rest is answered as it is.',
    access: 'runs:write',
    params: runId,
    data: GraphRun,
    refuses: ['run_deleted'],
    tagged: true,
    examples: { data: { ...runExamples.run, status: 'cancelled', cancel_requested: true } },
  }),
  answerRun: route({
    id: 'answerRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/answers',
    tag: 'Runs',
    summary: 'Answer what a gate asks',
    description:
      'As soon as its node shows the question, also while other branches run. Of two answers one wins, the other is told that there is no open question. With `asked`, the answer is for that question alone. What is wrong with an answer is a 422 at its place; so is a model that would be asked next and has ended since the start, and the question stays open.',
    access: 'runs:write',
    params: runId,
    body: RunAnswer,
    data: GraphRun,
    refuses: ['no_open_question', 'question_changed', 'node_types_missing', 'run_exported', 'run_deleted'],
    tagged: true,
    minimal: true,
    examples: { body: { node_id: 'pick', answer: { selected: [1] } }, data: runExamples.run },
  }),
} as const satisfies Record<string, Route>
