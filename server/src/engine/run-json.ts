// In charge of runs as the wire has them: the row, its units gathered by node, the open question, the answers.

import { isPlainObject } from '@atelier/contract/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph-rules.ts'
import type { GraphRun, NodeRunState, PendingInput } from '@atelier/contract/graphs.ts'
import type { NodeChanges } from '@atelier/contract/runs.ts'
import type { Static } from 'typebox'
import type { Db } from '../platform/db.ts'
import type { Stamp } from '../platform/tables.ts'
import { type RunRow, readRunRow } from './run-store.ts'
import { type Answered, readAnswers, readTimedUnits, type TimedUnit } from './state-store.ts'
import { statusOf } from './units.ts'

type ItemState = NodeRunState['items'][string]

/** A run as it stands, whole; undefined where there is none. */
export async function readRun(
  db: Db,
  id: string,
  retentionSeconds: number,
): Promise<{ row: RunRow; run: GraphRun } | undefined> {
  const row = await readRunRow(db, id, retentionSeconds)
  if (!row) return undefined
  const units = await readTimedUnits(db, id)
  const answers = await readAnswers(db, id)
  const exported = await db
    .selectFrom('exports')
    .select(['creative_id', 'at'])
    .where('run_id', '=', id)
    .orderBy('at')
    .orderBy('creative_id')
    .execute()
  const creatives = [...new Set(exported.map(({ creative_id }) => creative_id))]
  return { row, run: toWire(row, units, answers, creatives) }
}

function toWire(row: RunRow, units: readonly TimedUnit[], answers: readonly Answered[], creatives: string[]): GraphRun {
  const byNode = Map.groupBy(units, ({ node }) => node)
  const nodes = Object.fromEntries([...byNode].map(([id, ones]) => [id, nodeState(ones)]))
  const { id, graph_id, status, error, targets, credits_consumed, credits_total, cancel_requested_at, generation } = row
  return {
    id,
    graph_id,
    definition: asObject(row.definition),
    ui_state: asObject(row.ui_state),
    status,
    nodes,
    error,
    targets,
    credits_consumed,
    credits_total,
    cancel_requested: cancel_requested_at !== null,
    cancel_requested_at,
    answers: Object.fromEntries(answers.map((one) => [answerKey(one, byNode.get(one.node)), one.answer])),
    pending_input: status === 'awaiting_input' ? firstQuestion(row, byNode) : null,
    regenerate: row.regenerate,
    seed_run_id: row.seed_run_id,
    pinned_task_id: row.pinned_task_id,
    forked_signature: row.forked_signature,
    edited: row.signature !== row.forked_signature,
    copied_from: row.copied_from,
    exported_at: row.exported_at,
    exported_creatives: creatives,
    produced_at: row.produced_at,
    generation,
    task_id: row.task_id,
    owner_id: row.owner_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    started_at: row.started_at,
    finished_at: row.finished_at,
    heartbeat_at: row.heartbeat_at,
    deleted_at: row.deleted_at,
  }
}

const asObject = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {})

/** Node id, or node id/index: the item as it stands now, or as it stood when it was answered. */
function answerKey({ node, item, position }: Answered, units: readonly TimedUnit[] = []): string {
  if (item === '') return node
  return `${node}/${units.find((unit) => unit.item === item)?.position ?? position}`
}

const unitState = (unit: TimedUnit): ItemState => ({
  status: unit.status,
  progress: unit.progress,
  outputs: unit.outputs ?? {},
  error: unit.error ?? '',
  message: unit.message ?? '',
  credits_consumed: unit.credits,
  duration_seconds: unit.durationSeconds,
  checkpoint: unit.request ? { request: unit.request } : (unit.checkpoint ?? {}),
})

/** A node's own state; of one that runs once per element, what its items come to. */
function nodeState(units: readonly TimedUnit[], shown: readonly TimedUnit[] = units): NodeRunState {
  const items = units.filter(({ item }) => item !== '').toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  const own = units.find(({ item }) => item === '')
  const first = own ?? items[0]
  if (!first) throw new Error('A node without a state has been asked for.')
  const wireItems = Object.fromEntries(
    shown.filter(({ item }) => item !== '').map((unit) => [String(unit.position), unitState(unit)]),
  )
  const started = earliest([...items, ...(own ? [own] : [])].map(({ startedAt }) => startedAt))
  const state = own?.itemCount !== null && own?.itemCount !== undefined ? gathered(own, items) : unitState(first)
  return { ...state, items: wireItems, ...(started ? { started_at: started } : {}) }
}

/** Worst status, mean progress, sum of credits, wall time; outputs are the lists, null where an item has none. */
function gathered(own: TimedUnit, items: readonly TimedUnit[]): ItemState {
  const ports = new Set(items.flatMap(({ outputs }) => Object.keys(outputs ?? {})))
  const failures = items.filter(({ status }) => status === 'failed')
  const began = earliest(items.map(({ startedAt }) => startedAt))
  const ended =
    items
      .map(({ finishedAt }) => finishedAt ?? '')
      .toSorted()
      .at(-1) ?? ''
  const count = items.length
  const done = items.reduce((sum, { progress, status }) => sum + (isDone(status) ? 1 : progress), 0)
  return {
    status: statusOf(items.map(({ status }) => status)),
    progress: count === 0 ? 1 : done / count,
    outputs: Object.fromEntries([...ports].map((port) => [port, items.map(({ outputs }) => outputs?.[port] ?? null)])),
    error: failures.length === 0 ? '' : `${failures.length} of ${count} items failed: ${failures[0]?.error ?? ''}`,
    message: own.message ?? '',
    credits_consumed: items.reduce((sum, { credits }) => sum + credits, 0),
    duration_seconds: began && ended !== '' ? Math.max(0, (Date.parse(ended) - Date.parse(began)) / 1000) : 0,
    checkpoint: {},
  }
}

const isDone = (status: TimedUnit['status']): boolean =>
  status !== 'pending' && status !== 'running' && status !== 'awaiting_input'

const earliest = (stamps: readonly (Stamp | null)[]): Stamp | null =>
  stamps.filter((stamp) => stamp !== null).toSorted()[0] ?? null

/** The first open question, in the order of the graph, then of the items. */
function firstQuestion(
  { definition }: RunRow,
  byNode: ReadonlyMap<string, TimedUnit[]>,
): Static<typeof PendingInput> | null {
  for (const id of topologicalOrder(readDefinition(definition))) {
    const units = byNode.get(id) ?? []
    const items = units.filter(({ item }) => item !== '').toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
    const open = (items.length > 0 ? items : units).find(
      ({ status, request }) => status === 'awaiting_input' && request,
    )
    if (!open?.request) continue
    return {
      node_id: id,
      item_index: open.position,
      item_count: items.length > 0 ? items.length : null,
      request: open.request,
    }
  }
  return null
}

/** One node of a run; of its items only those that changed since. Undefined where the run has no such node. */
export async function readNodeChanges(
  db: Db,
  runId: string,
  nodeId: string,
  since: number,
): Promise<Static<typeof NodeChanges> | undefined> {
  const row = await readRunRow(db, runId)
  const units = row ? await readTimedUnits(db, runId, { nodeId }) : []
  if (!row || units.length === 0) return undefined
  const shown = units.filter(({ change }) => change > since)
  const own = units.find(({ item }) => item === '')
  return {
    node: nodeState(units, shown),
    item_count: own?.itemCount ?? null,
    since: row.changes,
    generation: row.generation,
  }
}
