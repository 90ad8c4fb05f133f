// In charge of runs as the wire has them: the row, its units gathered by node, the open question, the answers; all of it,
// or only what reads otherwise than it did at an earlier moment.

import { isPlainObject } from '@atelier/contract/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph-rules.ts'
import type { GraphRun } from '@atelier/contract/graphs.ts'
import type { RunChanges } from '@atelier/contract/runs.ts'
import { type Db, inSnapshot } from '../../platform/db.ts'
import { megabytes } from '../model/json-size.ts'
import { answerLimit } from '../model/run-bounds.ts'
import { unitKey, unitsOf } from '../model/units.ts'
import {
  type Moment,
  type Question,
  readAround,
  readAsked,
  readQuestions,
  readTimedUnits,
  readUnitsSince,
  type TimedUnit,
  tallyItems,
} from '../store/run-changes.ts'
import { stateBytes } from '../store/run-sizes.ts'
import { type RunRow, readRunRow } from '../store/runs.ts'
import { readAnswers } from '../store/unit-store.ts'
import { shownAnswers } from './answers-for-display.ts'
import { nodeChanges, nodeState } from './node-json.ts'

/** A run as it stands, whole; undefined where there is none. */
export function readRun(
  db: Db,
  id: string,
  retentionSeconds: number,
): Promise<{ row: RunRow; run: GraphRun; message: string | null } | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await readRunRow(tx, id, retentionSeconds)
    if (!row) return undefined
    const bytes = await stateBytes(tx, id)
    const byNode = await readNodes(tx, row, bytes > answerLimit)
    const nodes = Object.fromEntries([...byNode].map(([node, units]) => [node, nodeState(units)]))
    const run = { ...(await readMembers(tx, row)), ...partsOf(row), answers: await readAnswersNow(tx, id), nodes }
    return { row, run, message: leftOut(bytes) }
  })
}

/** What of a run reads otherwise than at an earlier moment; all of it where that cannot be told, or there is none. */
export function readRunChanges(
  db: Db,
  id: string,
  { retentionSeconds, since }: { retentionSeconds: number; since: string | undefined },
): Promise<{ row: RunRow; changes: RunChanges; message: string | null } | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await readRunRow(tx, id, retentionSeconds)
    if (!row) return undefined
    const then = since === undefined ? null : momentOf(since)
    const shared = { since: `${row.generation}.${row.changes}`, run: await readMembers(tx, row) }
    const known = then && canTell(row, then) ? then : null
    const isNext = known !== null && known.generation === row.generation
    const bytes = await stateBytes(tx, id, isNext ? known.changes : undefined)
    const light = bytes > answerLimit
    const told = known ? await readSince(tx, row, known, light) : await readAll(tx, row, light)
    return { row, changes: { ...shared, ...told, run: { ...shared.run, ...told.run } }, message: leftOut(bytes) }
  })
}

const leftOut = (bytes: number): string | null =>
  bytes > answerLimit
    ? `What the nodes of this run have made is ${megabytes(bytes)}, and one answer holds ${megabytes(answerLimit)} at most: it is left out here.`
    : null

const momentOf = (since: string): Moment => {
  const [generation = 0, changes = 0] = since.split('.').map(Number)
  return { generation, changes }
}

/** States that were deleted leave nothing behind to tell it by. A moment that is yet to come is another database's. */
const canTell = (row: RunRow, then: Moment): boolean =>
  then.changes <= row.changes && then.generation <= row.generation && row.last_deletion <= then.changes

type Told = Pick<RunChanges, 'whole' | 'nodes'> & {
  run: Pick<RunChanges['run'], 'definition' | 'ui_state' | 'answers'>
}

async function readAll(tx: Db, row: RunRow, light: boolean): Promise<Told> {
  const byNode = await readNodes(tx, row, light)
  const nodes = Object.fromEntries([...byNode].map(([node, units]) => [node, nodeChanges(units)]))
  return { whole: true, run: { ...partsOf(row), answers: await readAnswersNow(tx, row.id) }, nodes }
}

async function readSince(tx: Db, row: RunRow, then: Moment, light: boolean): Promise<Told> {
  const changed = await readUnitsSince(tx, row, then, light)
  const touched = [...new Set(changed.map(({ node }) => node))]
  const looked = changed.filter(({ item, itemCount }) => item === '' && itemCount !== null).map(({ node }) => node)
  const around = await readAround(tx, row, { nodes: touched, looked, light })
  const units = new Map([...changed, ...around].map((unit) => [unitKey(unit), unit]))
  const byNode = gather(row, [...units.values()])
  const own = around.filter(({ item }) => item === '')
  const eachNodes = own.filter(({ itemCount }) => itemCount !== null)
  const tallies = await tallyItems(tx, row, {
    nodes: eachNodes.map(({ node }) => node),
    stale: eachNodes.filter(({ stale }) => stale).map(({ node }) => node),
  })
  const nodes = [...byNode].map(([node, ones]) => [node, nodeChanges(ones, tallies.get(node) ?? [])] as const)
  const isEdited = row.last_edit > then.changes
  const mayBeAnswered = row.generation !== then.generation || (await hasAnswers(tx, row.id, touched))
  return {
    whole: false,
    run: {
      ...(isEdited ? partsOf(row) : {}),
      ...(mayBeAnswered ? { answers: await readAnswersNow(tx, row.id) } : {}),
    },
    nodes: Object.fromEntries(nodes),
  }
}

const readNodes = async (tx: Db, row: RunRow, light: boolean) => gather(row, await readTimedUnits(tx, row.id, light))

/** Units by node, as they count now; what was not made in this generation has no times in it. */
const gather = ({ generation }: RunRow, units: readonly TimedUnit[]): Map<string, TimedUnit[]> =>
  Map.groupBy(unitsOf(generation, units, { startedAt: null, finishedAt: null }), ({ node }) => node)

const asObject = (value: unknown): Record<string, unknown> => (isPlainObject(value) ? value : {})

const partsOf = ({ definition, ui_state }: RunRow) => ({
  definition: asObject(definition),
  ui_state: asObject(ui_state),
})

async function readMembers(
  tx: Db,
  row: RunRow,
): Promise<Omit<RunChanges['run'], 'definition' | 'ui_state' | 'answers'>> {
  const { id, graph_id, status, error, targets, credits_consumed, credits_total, cancel_requested_at } = row
  const exported = await tx
    .selectFrom('exports')
    .select(['creative_id', 'at'])
    .where('run_id', '=', id)
    .orderBy('at')
    .orderBy('creative_id')
    .execute()
  return {
    id,
    graph_id,
    status,
    error,
    targets,
    credits_consumed,
    credits_total,
    cancel_requested: cancel_requested_at !== null,
    cancel_requested_at,
    pending_input: status === 'awaiting_input' ? firstQuestion(row, await readQuestions(tx, id)) : null,
    regenerate: row.regenerate,
    seed_run_id: row.seed_run_id,
    pinned_task_id: row.pinned_task_id,
    forked_signature: row.forked_signature,
    edited: row.signature !== row.forked_signature,
    copied_from: row.copied_from,
    exported_at: row.exported_at,
    exported_creatives: [...new Set(exported.map(({ creative_id }) => creative_id))],
    produced_at: row.produced_at,
    generation: row.generation,
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

/** The first open question, in the order of the graph. */
function firstQuestion({ definition }: RunRow, questions: readonly Question[]): GraphRun['pending_input'] {
  for (const id of topologicalOrder(readDefinition(definition))) {
    const open = questions.find(({ node }) => node === id)
    if (open) return { node_id: id, item_index: open.position, item_count: open.itemCount, request: open.request }
  }
  return null
}

async function readAnswersNow(tx: Db, runId: string): Promise<GraphRun['answers']> {
  const answers = await readAnswers(tx, runId)
  return shownAnswers(answers, await readAsked(tx, runId, [...new Set(answers.map(({ node }) => node))]))
}

/** An answer is given together with its unit; what it is called follows from where that is. */
async function hasAnswers(tx: Db, runId: string, nodes: readonly string[]): Promise<boolean> {
  if (nodes.length === 0) return false
  const found = await tx
    .selectFrom('run_answers')
    .select('node_id')
    .where('run_id', '=', runId)
    .where('node_id', 'in', [...nodes])
    .limit(1)
    .execute()
  return found.length > 0
}
