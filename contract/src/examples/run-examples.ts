// In charge of the example run that the documentation shows, and of the records related to the run.
import type { Static } from 'typebox'
import type { ExportPlan, Provenance } from '../exports.ts'
import type { GraphRun } from '../graphs.ts'
import type { RunCard, RunChanges, RunCheckpoint, RunNodeChanges, RunPlan, Take } from '../runs.ts'
import { examples } from './examples.ts'
import { graphExamples } from './graph-examples.ts'

const { hook, text } = graphExamples
const nodeState = {
  status: 'succeeded',
  progress: 1,
  outputs: { text },
  error: '',
  message: '',
  credits_consumed: 0,
  duration_seconds: 0.01,
  checkpoint: {},
  items: {},
  started_at: '2026-03-04T10:59:58.000Z',
} as const

const { id: graphId, name: graphName, definition, ui_state } = graphExamples.graph
const stamps = {
  created_at: '2026-03-04T10:59:57.000Z',
  updated_at: '2026-03-04T11:00:00.000Z',
  started_at: '2026-03-04T10:59:58.000Z',
  finished_at: '2026-03-04T11:00:00.000Z',
  deleted_at: null,
}
const signature = 'c2c1a0b4bb4f3e54c2fd6b22a1f1ad2cd3e1f7aa0f2b6cf2f6a6d8a4f1d4c9ab'

const run = {
  id: '019a3c70-5b7e-7c11-9a55-3f4c8b2d1e90',
  graph_id: graphId,
  definition,
  ui_state,
  status: 'succeeded',
  nodes: { prompt: nodeState },
  error: null,
  targets: [],
  credits_consumed: 3,
  credits_total: 5,
  cancel_requested: false,
  cancel_requested_at: null,
  answers: { pick: { selected: [1] } },
  pending_input: null,
  regenerate: [],
  seed_run_id: null,
  pinned_task_id: examples.ids.task,
  forked_signature: signature,
  edited: false,
  copied_from: null,
  exported_at: null,
  exported_creatives: [],
  produced_at: '2026-03-04T10:59:59.000Z',
  generation: 2,
  task_id: examples.ids.task,
  owner_id: examples.ids.user,
  heartbeat_at: '2026-03-04T10:59:59.000Z',
  ...stamps,
} satisfies GraphRun

const card = {
  id: run.id,
  graph_id: graphId,
  graph_name: graphName,
  status: 'succeeded',
  error: null,
  task_id: run.task_id,
  pinned_task_id: run.pinned_task_id,
  owner_id: run.owner_id,
  generation: 2,
  credits_consumed: 3,
  credits_total: 5,
  edited: false,
  copied_from: null,
  exported_at: null,
  exported_creatives: 0,
  ...stamps,
} satisfies Static<typeof RunCard>

const nothing = { least: 0, most: 0, unpriced: [] }
const onePicture = { least: 40_000, most: 40_000, unpriced: [] }
const plan = {
  nodes: {
    prompt: { outcome: 'free', calls: 1, cached: 0, credits: { least: 0, most: 0 }, money: nothing },
    images: { outcome: 'paid', calls: 3, cached: 2, credits: { least: 1, most: 1 }, money: onePicture },
    pick: { outcome: 'unknown', calls: null, cached: 0, credits: { least: 0, most: 0 }, money: nothing },
  },
  credits: { least: 1, most: 1 },
  money: { currency: 'USD', ...onePicture },
} satisfies RunPlan

const { definition: _definition, ui_state: _layout, answers: _answers, nodes: _nodes, ...members } = run
const changes = {
  since: '2.7',
  whole: false,
  run: members,
  nodes: { prompt: { ...nodeState, item_count: null } },
} satisfies Static<typeof RunChanges>

const nodeChanges = {
  since: changes.since,
  whole: false,
  node: changes.nodes.prompt,
} satisfies Static<typeof RunNodeChanges>

const take = {
  id: '5f2b6c1e8a9d4073b1c2e3f405162738495a6b7c8d9e0f112233445566778899',
  outputs: { image: examples.file },
  inputs: { prompt: `${hook} Warmer light.` },
  credits: 1,
  generation: 1,
  made_at: '2026-03-04T10:58:40.000Z',
  current: false,
  chosen: false,
  pinned: false,
  outdated: false,
} satisfies Take

const provenance = {
  run_id: run.id,
  graph_id: graphId,
  generation: 2,
  node_id: 'images',
  node_type: 'sample.image',
  node_version: 1,
  port: 'image',
  item: 2,
  index: null,
  params: { width: 1080, height: 1350 },
  inputs: { prompt: hook },
  status: 'succeeded',
  credits: 1,
  ai: 'none',
  source_type: 'http://cv.iptc.org/newscodes/digitalsourcetype/algorithmicMedia',
  signed_by: 'Atelier (its own certificate)',
  unsigned_because: null,
  file: examples.file.digest,
  labels: [],
  exported_at: '2026-03-04T11:05:00.000Z',
  exported_by: examples.ids.user,
} satisfies Static<typeof Provenance>

const exportPlan = {
  files: [
    {
      node_id: 'pick',
      port: 'first',
      item: null,
      index: null,
      name: examples.creative.name,
      variation_num: null,
      creative_id: null,
      ai: 'none',
    },
  ],
} satisfies Static<typeof ExportPlan>

const { at, kind } = graphExamples.checkpoint
const checkpoint = {
  ...{ at, kind, definition, ui_state },
  status: 'awaiting_input',
  error: null,
  targets: [],
  nodes: {
    prompt: { status: 'succeeded', outputs: { text }, error: '', items: null },
    pick: { status: 'awaiting_input', outputs: {}, error: '', items: null },
  },
  answers: {},
} satisfies Static<typeof RunCheckpoint>

/** A finished run, and the responses to requests about that run. */
export const runExamples = {
  run,
  card,
  plan,
  exportPlan,
  checkpoint,
  changes,
  nodeChanges,
  take,
  provenance,
  historyEntry: { ...graphExamples.historyEntry, kind: 'rest', summary: 'Succeeded', by: null },
}
