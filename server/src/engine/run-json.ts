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
import { type Answered, readAnswers, readTimedUnits, type Tally, type TimedUnit, tallyItems } from './state-store.ts'
import { statusOf, unitsOf } from './units.ts'

type ItemState = NodeRunState['items'][string]

/** A run as it stands, whole; undefined where there is none. */
export async function readRun(
  db: Db,
  id: string,
  retentionSeconds: number,
): Promise<{ row: RunRow; run: GraphRun } | undefined> {
  const row = await readRunRow(db, id, retentionSeconds)
  if (!row) return undefined
  const units = asOf(row, await readTimedUnits(db, id))
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

/** Units as they count now; what was not made in this generation has no times in it. */
const asOf = ({ generation }: RunRow, units: readonly TimedUnit[]): TimedUnit[] =>
  unitsOf(generation, units, { startedAt: null, finishedAt: null })

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
function nodeState(units: readonly TimedUnit[]): NodeRunState {
  const items = units.filter(({ item }) => item !== '').toSorted((a, b) => (a.position ?? 0) - (b.position ?? 0))
  const own = units.find(({ item }) => item === '') ?? items[0]
  if (!own) throw new Error('A node without a state has been asked for.')
  if (own.itemCount === null) return withStart(unitState(own), own.startedAt, {})
  const ports = new Set(items.flatMap(({ outputs }) => Object.keys(outputs ?? {})))
  const lists = [...ports].map((port) => [port, items.map(({ outputs }) => outputs?.[port] ?? null)])
  return gathered(own, tally(items), Object.fromEntries(lists), items)
}

const withStart = (state: ItemState, startedAt: Stamp | null, items: NodeRunState['items']): NodeRunState => ({
  ...state,
  items,
  ...(startedAt ? { started_at: startedAt } : {}),
})

/** Worst status, mean progress, sum of credits, wall time; outputs are the lists, null where an item has none. */
function gathered(
  own: TimedUnit,
  tallies: readonly Tally[],
  outputs: Record<string, unknown>,
  shown: readonly TimedUnit[],
): NodeRunState {
  const sum = (of: (one: Tally) => number): number => tallies.reduce((total, one) => total + of(one), 0)
  const count = sum((one) => one.count)
  const began = earliest(tallies.map((one) => one.began))
  const ended =
    tallies
      .map((one) => one.ended ?? '')
      .toSorted()
      .at(-1) ?? ''
  const failed = tallies.find(({ status }) => status === 'failed')
  const state: ItemState = {
    status: statusOf(tallies.map(({ status }) => status)),
    progress: count === 0 ? 1 : sum((one) => (isDone(one.status) ? one.count : one.progress)) / count,
    outputs,
    error: failed ? `${failed.count} of ${count} items failed: ${failed.error ?? ''}` : '',
    message: own.message ?? '',
    credits_consumed: sum((one) => one.credits),
    duration_seconds: began && ended !== '' ? Math.max(0, (Date.parse(ended) - Date.parse(began)) / 1000) : 0,
    checkpoint: {},
  }
  const items = Object.fromEntries(shown.map((unit) => [String(unit.position), unitState(unit)]))
  return withStart(state, earliest([began, own.startedAt]), items)
}

/** What the database counts in `tallyItems`, of items that are here. */
function tally(items: readonly TimedUnit[]): Tally[] {
  return [...Map.groupBy(items, ({ status }) => status)].map(([status, ones]) => ({
    status,
    count: ones.length,
    progress: ones.reduce((total, { progress }) => total + progress, 0),
    credits: ones.reduce((total, { credits }) => total + credits, 0),
    began: earliest(ones.map(({ startedAt }) => startedAt)),
    ended:
      ones
        .map(({ finishedAt }) => finishedAt ?? '')
        .toSorted()
        .at(-1) || null,
    error: ones[0]?.error ?? null,
  }))
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
  const [own] = row ? asOf(row, await readTimedUnits(db, runId, { nodeId, item: '' })) : []
  if (!row || !own) return undefined
  const { changes, generation } = row
  const answer = { item_count: own.itemCount, since: changes, generation }
  if (own.itemCount === null) return { node: nodeState([own]), ...answer }
  // Since its elements were looked at again, any item may be another one.
  const from = own.change > since ? 0 : since
  const changed = (await readTimedUnits(db, runId, { nodeId, since: from })).filter(({ item }) => item !== '')
  // Its lists are those of its items: they are not sent with every change of one.
  const shown = asOf(row, own.stale ? [own, ...changed] : changed).filter(({ item }) => item !== '')
  return { node: gathered(own, await tallyItems(db, row, nodeId), {}, shown), ...answer }
}
