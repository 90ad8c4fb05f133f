// In charge of the routes for what a run leaves behind: exported files, its history, and what a promotion writes to its graph.
import { examplePage, examples } from '../examples/examples.ts'
import { graphExamples } from '../examples/graph-examples.ts'
import { runExamples } from '../examples/run-examples.ts'
import { ExportPlan, RunExport } from '../exports.ts'
import { GraphRun, HistoryEntry, NodeGraph } from '../graphs.ts'
import { HistoryRestore, PromotePlan, RunCheckpoint } from '../runs.ts'
import { Page } from '../wire/envelope.ts'
import { listQuery, route, runId } from './building.ts'
import type { Route } from './route.ts'

export const runRecordRoutes = {
  exportRun: route({
    id: 'exportRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/export',
    tag: 'Runs',
    summary: 'Put files of a run on a card',
    description:
      'At rest only, in one transaction. Each file becomes a creative with the next canonical name; the same output on the same task is the same creative. From the first export on the run is a record: its definition, states and answers do not change any more.',
    access: 'runs:write',
    params: runId,
    body: RunExport,
    data: GraphRun,
    refuses: ['run_not_at_rest', 'run_deleted', 'run_busy', 'task_deleted'],
    idempotent: true,
    tagged: true,
    examples: {
      body: { task_id: examples.ids.task, outputs: [{ node_id: 'pick', port: 'first' }] },
      data: runExamples.run,
    },
  }),
  planExport: route({
    id: 'planExport',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/export/plan',
    tag: 'Runs',
    summary: 'What an export would make, without doing it',
    description:
      'Takes the body of an export. Per file, in order: the name its creative would get, or the creative it is on that card already.',
    access: 'read',
    effect: 'read',
    params: runId,
    body: RunExport,
    data: ExportPlan,
    refuses: ['run_not_at_rest', 'run_deleted', 'task_deleted'],
    examples: {
      body: { task_id: examples.ids.task, outputs: [{ node_id: 'pick', port: 'first' }] },
      data: runExamples.exportPlan,
    },
  }),
  listRunHistory: route({
    id: 'listRunHistory',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/history',
    tag: 'Runs',
    summary: 'Checkpoints of a run',
    description: 'Newest first: changes of its definition or layout, and each time it came to rest.',
    access: 'read',
    params: runId,
    query: listQuery,
    data: Page(HistoryEntry),
    examples: { data: examplePage(runExamples.historyEntry) },
  }),
  readRunCheckpoint: route({
    id: 'readRunCheckpoint',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/history/checkpoint',
    tag: 'Runs',
    summary: 'A run as it stood at a time',
    description:
      'The newest checkpoint not after `at`: definition, layout, targets, status, states, outputs and answers that a restore would bring back, to be looked at before.',
    access: 'read',
    params: runId,
    query: HistoryRestore,
    data: RunCheckpoint,
    refuses: ['no_checkpoint'],
    examples: { data: runExamples.checkpoint },
  }),
  restoreRunHistory: route({
    id: 'restoreRunHistory',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/history/restore',
    tag: 'Runs',
    summary: 'Put this run back as it stood at a checkpoint',
    description:
      'Only this one: its graph and its sibling runs stay. Definition, layout, targets, states, rolls, answers and status come back; credits stay paid. What it leaves is a checkpoint too. Refused once the run has exported, and while it executes.',
    access: 'runs:write',
    params: runId,
    body: HistoryRestore,
    data: GraphRun,
    refuses: ['run_exported', 'run_busy', 'run_deleted', 'no_checkpoint'],
    tagged: true,
    examples: { body: { at: '2026-03-04T11:00:00.000Z' }, data: runExamples.run },
  }),
  promoteRun: route({
    id: 'promoteRun',
    method: 'POST',
    path: '/api/v1/runs/{run_id}/restore',
    tag: 'Runs',
    summary: "Put a run's version of the graph back on its graph",
    description:
      'Definition and layout; the owner of the graph alone. A run for one variant leaves its nodes what they read in the graph, as the plan shows. The definition is checked first: with unknown node types nothing is written. If the graph has changed since the run was made, `message` says so, and the history of the graph holds what was there. `If-Match` is about the graph.',
    access: 'graphs:write',
    params: runId,
    data: NodeGraph,
    refuses: ['not_owner', 'graph_deleted', 'run_deleted'],
    tagged: true,
    examples: { data: graphExamples.graph },
  }),
  planPromote: route({
    id: 'planPromote',
    method: 'GET',
    path: '/api/v1/runs/{run_id}/restore/plan',
    tag: 'Runs',
    summary: 'What a promote would write, without doing it',
    description:
      'The definition as the graph would have it. It is that of the run, but for the variant the run was made for: a node that still reads it reads again what it read in the graph.',
    access: 'read',
    params: runId,
    data: PromotePlan,
    refuses: ['graph_deleted'],
    examples: { data: { definition: graphExamples.graph.definition, graph_changed: false } },
  }),
} as const satisfies Record<string, Route>
