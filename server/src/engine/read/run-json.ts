// In charge of converting a run to the form in which responses show it: members of its row, its nodes, its first open
// question, and its answers. A response contains the complete state, or only what has changed since an earlier moment.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { topologicalOrder } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { GraphRun } from '@atelier/contract/graphs.ts'
import type { RunChanges } from '@atelier/contract/runs.ts'
import { type Db, inSnapshot } from '../../platform/db.ts'
import { megabytes } from '../model/json-size.ts'
import { answerLimit } from '../model/run-bounds.ts'
import { type UnitState, unitKey, unitsOf } from '../model/units.ts'
import { readAnswers } from '../store/marks.ts'
import {
  type Moment,
  type Question,
  readAround,
  readQuestions,
  readQuestionUnits,
  readTimedUnits,
  readUnitsSince,
  type TimedUnit,
  tallyItems,
} from '../store/run-changes.ts'
import { measureShown, noteOlder } from '../store/run-sizes.ts'
import { type RunRow, readRunRow, seeRun } from '../store/runs.ts'
import { readOwn, type Scope } from '../store/unit-pages.ts'
import { answersForDisplay } from './answers-for-display.ts'
import { nodeChanges, nodeState } from './node-json.ts'
import { nodeParts, type Parts, type TextPart } from './run-parts.ts'

/** A response with more bytes than this is streamed rather than held in memory. */
const heldBytes = 1024 * 1024

/**
 * The complete present state of a run, for the response to a write; undefined if the run does not exist. If the state is too
 * large, outputs are left out, and `message` says so; otherwise `message` is null.
 */
export function readRun(
  db: Db,
  id: string,
): Promise<{ row: RunRow; run: GraphRun; message: string | null } | undefined> {
  return inSnapshot(db, async (tx) => {
    const row = await seeRun(tx, id)
    if (!row) return undefined
    const { bytes } = await measureShown(tx, id)
    return { row, run: await wholeRun(tx, row, bytes > answerLimit), message: leftOut(bytes) }
  })
}

/** Yields the JSON text of a response as it is read. At its end, it returns the message of the response, or null. */
export type Text = AsyncGenerator<TextPart, string | null>
export const isText = (read: object): read is Text => Symbol.asyncIterator in read

/** The complete present state of a run, as a stream of text if it is large; undefined if the run does not exist. */
export async function openRun(db: Db, id: string): Promise<{ row: RunRow; run: GraphRun | Text } | undefined> {
  return withSizes(db, id, (again) =>
    inSnapshot(db, async (tx) => {
      const row = await seeRun(tx, id)
      if (!row) return undefined
      const { bytes, older } = await measureShown(tx, id)
      if (older && !again) return 'older'
      if (bytes <= heldBytes) return { row, run: await wholeRun(tx, row, false) }
      const frames = await readFrames(tx, row, everything)
      return {
        row,
        run: textOf({ db, row, head: await wholeHead(tx, row), ...frames, scope: everything, lists: true }),
      }
    }),
  )
}

type ReadOptions = { since: string | undefined; node?: string | null }
type Changed = { row: RunRow; changes: RunChanges | Text }

/**
 * What has changed in a run since the moment `since`; the complete state if `since` is undefined, or if the changes since that
 * moment cannot be determined. A large response is a stream of text. With `node`, a stream contains only that node; a response
 * that is no stream still contains all nodes, and the caller picks the node.
 */
export async function readRunChanges(
  db: Db,
  id: string,
  { since, node = null }: ReadOptions,
): Promise<Changed | undefined> {
  return withSizes(db, id, (again) =>
    inSnapshot(db, async (tx): Promise<Changed | 'older' | undefined> => {
      const row = await seeRun(tx, id)
      if (!row) return undefined
      const known = knownMoment(row, since)
      const isNext = known !== null && known.generation === row.generation
      const { bytes, older } = await measureShown(tx, id, isNext ? known.changes : undefined)
      if (older && !again) return 'older'
      if (bytes > heldBytes) return { row, changes: await changesText(db, tx, row, { since: known, node }) }
      const body = known ? await readSince(tx, row, known) : await readAll(tx, row)
      return { row, changes: { ...body, since: nowOf(row), run: { ...(await readMembers(tx, row)), ...body.run } } }
    }),
  )
}

async function changesText(db: Db, tx: Db, row: RunRow, scope: Scope): Promise<Text> {
  const frames = await readFrames(tx, row, scope)
  const body = { since: nowOf(row), whole: scope.since === null }
  if (scope.node !== null) return textOf({ db, row, head: body, ...frames, scope, lists: false })
  const parts = scope.since ? await changedParts(tx, row, scope.since, frames.own) : await wholeParts(tx, row)
  const head = { ...body, run: { ...(await readMembers(tx, row)), ...parts } }
  return textOf({ db, row, head, ...frames, scope, lists: false })
}

const nowOf = ({ generation, changes }: Moment): string => `${generation}.${changes}`

type Read<T> = (again: boolean) => Promise<T | 'older' | undefined>

/**
 * Calls `read`. If `read` finds rows without sizes, which earlier versions of Atelier wrote, stores the sizes and calls `read`
 * again. Inside a transaction, which may be read-only, no sizes are stored, and `read` measures the rows itself.
 */
async function withSizes<T>(db: Db, id: string, read: Read<T>): Promise<T | undefined> {
  const first = await read(db.isTransaction)
  if (first !== 'older') return first
  await noteOlder(db, id)
  const second = await read(true)
  if (second === 'older') throw new Error(`The run ${id} was to be read as it is.`)
  return second
}

const everything: Scope = { since: null, node: null }

/**
 * What a streamed response needs to know about the nodes before it reads their outputs: their own units, and tallies of their
 * items.
 */
async function readFrames(tx: Db, row: RunRow, scope: Scope): Promise<Pick<Parts, 'own' | 'tallies'>> {
  const own = await readOwn(tx, row, scope)
  const each = own.filter(({ itemCount }) => itemCount !== null)
  const tallies = await tallyItems(tx, row, {
    nodes: each.map(({ node }) => node),
    stale: each.filter(({ stale }) => stale).map(({ node }) => node),
  })
  return { own, tallies }
}

type Streamed = Omit<Parts, 'run'> & { row: RunRow; head: object }

/** The text of a response: the members of `head`, and after them the nodes. */
async function* textOf({ row, head, ...parts }: Streamed): Text {
  const before = JSON.stringify(head).slice(0, -1)
  if (parts.scope.node === null) {
    yield `${before},"nodes":{`
    yield* nodeParts({ ...parts, run: row })
    yield '}}'
  } else {
    yield `${before},"node":${parts.own.length === 0 ? 'null' : ''}`
    yield* nodeParts({ ...parts, run: row })
    yield '}'
  }
  const now = await readRunRow(parts.db, row.id)
  return now?.changes === row.changes && now.generation === row.generation
    ? null
    : 'The run changed while it was read, so that its parts are of several moments. Read it again, or what has changed since.'
}

async function wholeHead(tx: Db, row: RunRow) {
  return { ...(await readMembers(tx, row)), ...(await wholeParts(tx, row)) }
}

async function wholeParts(tx: Db, row: RunRow) {
  return { ...partsOf(row), answers: await readAnswersNow(tx, row) }
}

async function wholeRun(tx: Db, row: RunRow, light: boolean): Promise<GraphRun> {
  const byNode = await readNodes(tx, row, light)
  const nodes = Object.fromEntries([...byNode].map(([node, units]) => [node, nodeState(units)]))
  return { ...(await wholeHead(tx, row)), nodes }
}

const leftOut = (bytes: number): string | null =>
  bytes > answerLimit
    ? `What the nodes of this run show is ${megabytes(bytes)}, and the answer of a write holds ${megabytes(answerLimit)} at most: it is left out here. Read the run to have it.`
    : null

const momentOf = (since: string): Moment => {
  const [generation = 0, changes = 0] = since.split('.').map(Number)
  return { generation, changes }
}

/** The moment that the request contains; null if it contains none, or if the changes since that moment cannot be determined. */
function knownMoment(row: RunRow, since: string | undefined): Moment | null {
  const moment = since === undefined ? null : momentOf(since)
  return moment && canTell(row, moment) ? moment : null
}

/**
 * Whether the changes since a moment can be determined. They cannot if units were deleted since, because a deleted unit leaves
 * no row that shows its deletion. Nor can they for a moment in the future, which comes from another database.
 */
const canTell = (row: RunRow, then: Moment): boolean =>
  then.changes <= row.changes && then.generation <= row.generation && row.last_deletion <= then.changes

type ChangesBody = Pick<RunChanges, 'whole' | 'nodes'> & {
  run: Pick<RunChanges['run'], 'definition' | 'ui_state' | 'answers'>
}

async function readAll(tx: Db, row: RunRow): Promise<ChangesBody> {
  const byNode = await readNodes(tx, row, false)
  const nodes = Object.fromEntries([...byNode].map(([node, units]) => [node, nodeChanges(units)]))
  return { whole: true, run: await wholeParts(tx, row), nodes }
}

async function readSince(tx: Db, row: RunRow, then: Moment): Promise<ChangesBody> {
  const changed = await readUnitsSince(tx, row, then)
  const touched = [...new Set(changed.map(({ node }) => node))]
  const looked = changed.filter(({ item, itemCount }) => item === '' && itemCount !== null).map(({ node }) => node)
  const around = await readAround(tx, row, { nodes: touched, looked })
  const units = new Map([...changed, ...around].map((unit) => [unitKey(unit), unit]))
  const byNode = gather(row, [...units.values()])
  const own = around.filter(({ item }) => item === '')
  const eachNodes = own.filter(({ itemCount }) => itemCount !== null)
  const tallies = await tallyItems(tx, row, {
    nodes: eachNodes.map(({ node }) => node),
    stale: eachNodes.filter(({ stale }) => stale).map(({ node }) => node),
  })
  const nodes = [...byNode].map(([node, ones]) => [node, nodeChanges(ones, tallies.get(node) ?? [])] as const)
  return { whole: false, run: await changedParts(tx, row, then, own), nodes: Object.fromEntries(nodes) }
}

/**
 * The definition, layout and answers, if they may have changed since the moment `then`. `touched`: the own units of the nodes
 * that have changed.
 */
async function changedParts(
  tx: Db,
  row: RunRow,
  then: Moment,
  touched: readonly UnitState[],
): Promise<ChangesBody['run']> {
  const isEdited = row.last_edit > then.changes
  const nodes = touched.map(({ node }) => node)
  const mayBeAnswered = isEdited || row.generation !== then.generation || (await hasAnswers(tx, row.id, nodes))
  return {
    ...(isEdited ? partsOf(row) : {}),
    ...(mayBeAnswered ? { answers: await readAnswersNow(tx, row) } : {}),
  }
}

const readNodes = async (tx: Db, row: RunRow, light: boolean) => gather(row, await readTimedUnits(tx, row.id, light))

/** Units by node, as the present generation sees them; results of earlier generations have no times. */
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

/** The first open question, in the order of the graph's nodes; null if there is none. */
function firstQuestion({ definition }: RunRow, questions: readonly Question[]): GraphRun['pending_input'] {
  for (const id of topologicalOrder(readDefinition(definition))) {
    const open = questions.find(({ node }) => node === id)
    if (open) return { node_id: id, item_index: open.position, item_count: open.itemCount, request: open.request }
  }
  return null
}

async function readAnswersNow(tx: Db, { id, definition }: RunRow): Promise<GraphRun['answers']> {
  const answers = await readAnswers(tx, id)
  const units = await readQuestionUnits(tx, id, [...new Set(answers.map(({ node }) => node))])
  return answersForDisplay(answers, units, readDefinition(definition))
}

/**
 * Whether any of these nodes, whose units have changed, has an answer. Then the response has to contain the answers: which
 * of them it shows, and under which keys, depends on the statuses and positions of the units.
 */
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
