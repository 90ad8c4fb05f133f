// In charge of saving what a worker has to write to its run: in one transaction at a time, and only while the run belongs to
// the worker.
//
// Saves that wait at the same time share a transaction. If the transaction fails, its paid results and checkpoints are written
// again one by one, so that an error in another save does not affect them. From then on all other saves are refused, including
// those of the failed transaction, because they may depend on what was not written. The save of a result is delayed a little,
// so that the ledger entry of the call that follows it can be part of the same commit. States that are only shown to people
// (running, progress) are written with the next save.
import { filesIn } from '@atelier/contract/graph/definition.ts'
import { sql } from 'kysely'
import { chunksOf, type Size } from '../../platform/chunks.ts'
import { commitBehind, type Database, type Db, kept, tellChanged, together } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { jsonSize } from '../model/json-size.ts'
import { hasOutputs, isOver, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { limitsIdleTime } from '../store/brief-locks.ts'
import { type CacheEntry, insertCached, releaseKeys } from '../store/cache.ts'
import { type ClosedEntry, closeEntries } from '../store/ledger.ts'
import { LostRun, type RunLease } from '../store/runs.ts'
import { deleteItems, saveUnits, useFiles } from '../store/unit-store.ts'
import { type Admission, admit, begunBy, type HeldKeys, isAllowed, pricedOf, takeKeys } from './admission.ts'
import { judgeCalls } from './call-costs.ts'
import { createDue } from './due.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'

export type Save = {
  /** The new states, as copies, because the units may change again before the save is written. */
  units: readonly UnitState[]
  /** Items to delete, because their elements are no longer in the list that the node runs over. */
  gone?: readonly UnitName[]
  closedEntries?: readonly ClosedEntry[]
  cached?: CacheEntry
  /** Whether a target of the run now has outputs. */
  produced?: boolean
  /** Entries of the run's `regenerate` list that are done: `node`, or `node/position` for an item. */
  regenerated?: readonly string[]
  /** Cache keys for which no outputs were computed in the end: the claims on these keys are released. */
  released?: readonly string[]
  /** A call that is about to be made. The save decides whether the call may be made, and notes the decision in `admitted`. */
  admission?: Admission
  /** Executes further statements in the same transaction. */
  also?: (tx: Db) => Promise<void>
}

export type Saver = {
  /** Resolves once the save has been committed; rejects if it fails, or if the run is lost. */
  save(save: Save, how?: How): Promise<void>
  /** Writes the present state of a unit within `showAfterMs`, only so that people see it. */
  show(unit: UnitState): void
  /** Resolves once no save waits any more: each has been written or has failed. */
  flush(): Promise<void>
}

/**
 * `retryAlone`: if a transaction with several saves fails, this save is written again in a transaction of its own. `mayWait`:
 * the save may be delayed by up to `resultAfterMs`, so that it shares its transaction with later saves.
 */
type How = { retryAlone?: boolean; mayWait?: boolean }
type Pending = Save & { retryAlone: boolean; resolve: () => void; reject: (reason: unknown) => void }

const showAfterMs = 150
/**
 * For how many milliseconds the save of a result is delayed. In less time than this, existing outputs of the successors have
 * been searched for and the successors' calls have begun; so the ledger entries of these calls share the transaction.
 */
const resultAfterMs = 5

/**
 * The maximum size of one transaction. The embedded database executes one transaction at a time, so this limit bounds how long
 * other requests, such as a page of the board, have to wait; on PostgreSQL it bounds memory.
 */
const turnLimit: Record<Database['kind'], Size> = {
  embedded: { count: 250, bytes: 512 * 1024 },
  postgres: { count: 5000, bytes: 16 * 1024 * 1024 },
}

/** The size of a save. Outputs that are also stored in the cache count twice, because they are written twice. */
const sizeOf = ({ units, cached }: Save): Size => ({
  count: units.length + 1,
  bytes: units.reduce((sum, { outputs }) => sum + jsonSize(outputs), cached ? jsonSize(cached.outputs) : 0),
})

export function createSaver({ database, log }: { database: Database; log: Log }, runLease: RunLease): Saver {
  const queue: Pending[] = []
  const sightings = new Map<string, UnitState>()
  const held: HeldKeys = new Map()
  let broken: { error: unknown } | null = null

  /** Rejects saves with this error. If the error says that the run is lost, first stores the paid results among the saves. */
  const refuse = async (pending: readonly Pending[], error: unknown): Promise<void> => {
    const late = error instanceof LostRun ? pending.filter(isPaid) : []
    if (late.length > 0) {
      await retryWhileUnavailable(() => database.tx((tx) => keepPaid(tx, runLease, late))).catch((cause: unknown) =>
        log.error({ err: cause, run: runLease.runId }, 'what a lost run has paid for could not be kept'),
      )
    }
    for (const { reject } of pending) reject(error)
  }
  /**
   * Writes saves in one transaction. If it fails, but the run is not lost, writes those with `retryAlone` again, each in a
   * transaction of its own. `seen`: states that are only shown to people.
   */
  const writeOut = async (turn: readonly Pending[], seen: readonly UnitState[]): Promise<void> => {
    try {
      // If the connection breaks after the commit, but before the reply arrives, this writes the same values a second time.
      await retryWhileUnavailable(() => database.tx((tx) => write(tx, runLease, { saves: turn, seen, held })))
      noteKeys(held, turn)
      for (const { resolve } of turn) resolve()
    } catch (error) {
      const alone = turn.length > 1 && !(error instanceof LostRun) ? turn.filter(({ retryAlone }) => retryAlone) : []
      const others = turn.filter((pending) => !alone.includes(pending))
      if (others.length > 0) broken ??= { error }
      await refuse(others, error)
      if (error instanceof LostRun) await refuse(queue.splice(0), error)
      for (const pending of alone) await writeOut([pending], [])
    }
  }
  /** Writes saves. If any save has failed earlier, only those with `retryAlone`: others may depend on what was not stored. */
  const writeUnlessBroken = async (turn: readonly Pending[], seen: readonly UnitState[]): Promise<void> => {
    if (broken === null) return turn.length + seen.length > 0 ? writeOut(turn, seen) : undefined
    const [paid, others] = [turn.filter(({ retryAlone }) => retryAlone), turn.filter(({ retryAlone }) => !retryAlone)]
    await refuse(others, broken.error)
    if (paid.length > 0) await writeOut(paid, [])
  }
  const due = createDue(async () => {
    const asked = queue.splice(0)
    for (const { units } of asked) for (const unit of units) sightings.delete(unitKey(unit))
    const seen = [...sightings.values()]
    sightings.clear()
    const [first = [], ...more] = chunksOf(asked, turnLimit[database.kind], sizeOf)
    await writeUnlessBroken(first, seen)
    for (const turn of more) await writeUnlessBroken(turn, [])
  })

  return {
    save: (save, { retryAlone = false, mayWait = false } = {}) =>
      new Promise((resolve, reject) => {
        queue.push({ ...save, retryAlone, resolve, reject })
        if (mayWait) due.within(resultAfterMs)
        else void due.now()
      }),
    show: (unit) => {
      sightings.set(unitKey(unit), { ...unit })
      due.within(showAfterMs)
    },
    flush: async () => {
      while (queue.length > 0 || sightings.size > 0 || due.isWorking()) await due.now()
    },
  }
}

/**
 * Updates `held` when saves have been committed: removes the keys whose outputs were stored or whose claims were released, and
 * adds the keys of the calls that may be made.
 */
function noteKeys(held: HeldKeys, turn: readonly Save[]): void {
  for (const { cached, released = [] } of turn) {
    for (const key of cached ? [cached.key, ...released] : released) held.delete(key)
  }
  for (const { admission } of turn)
    if (admission?.admitted.kind === 'call' && admission.key !== null) held.set(admission.key, unitKey(admission.unit))
}

type Turn = { saves: readonly Save[]; seen: readonly UnitState[]; held: HeldKeys }

/**
 * Writes saves in two steps; between them, calls that have a price are judged. The functions called in one step do not need each
 * other's results, so they are not awaited one by one, and their statements are sent in one round trip.
 */
async function write(tx: Db, runLease: RunLease, { saves, seen, held }: Turn): Promise<void> {
  const units = saves.flatMap((save) => save.units)
  const asked = saves.flatMap(({ admission }) => (admission ? [admission] : []))
  const [change, taken] = await together([
    touch(tx, runLease, {
      progressed: units.some(isOver),
      produced: saves.some((save) => save.produced),
      deleted: saves.some(({ gone = [] }) => gone.length > 0),
      regenerated: saves.flatMap((save) => save.regenerated ?? []),
    }),
    // To avoid deadlocks, keys are claimed in the first step and released in the second. A released key stays locked until the
    // commit, so other runs may already wait for this transaction, which must therefore not wait for keys of theirs.
    takeKeys(tx, runLease, asked, held),
  ])
  const closedEntries = saves.flatMap((save) => save.closedEntries ?? [])
  const close = () => closeEntries(tx, runLease, closedEntries)
  const priced = pricedOf(taken.calls)
  const isPriced = priced.length > 0
  // Whether a call may be paid for depends on what the calls before it have cost, so their entries are closed first.
  const judged = isPriced ? await together([close(), judgeCalls(tx, runLease, priced)]) : null
  const verdicts = judged?.[1] ?? new Map()
  const begun = begunBy(taken.calls.filter((call) => isAllowed(call, verdicts)))
  // If there are several states of a unit, only the last of them is written.
  const last = new Map([...seen, ...units, ...begun].map((unit) => [unitKey(unit), unit]))
  const cached = saves.flatMap((save) => (save.cached ? [save.cached] : []))
  const over = [...cached.map(({ key }) => key), ...saves.flatMap((save) => save.released ?? [])]
  const gone = saves.flatMap((save) => save.gone ?? [])
  const digests = units.filter(hasOutputs).flatMap(({ outputs }) => filesIn(outputs).map(({ digest }) => digest))
  await together([
    admit(tx, runLease, asked, { ...taken, verdicts }),
    !isPriced && close(),
    saveUnits(tx, runLease.runId, [...last.values()], { change, generation: runLease.generation }),
    deleteItems(tx, runLease.runId, gone),
    useFiles(tx, 'run', runLease.runId, digests),
    insertCached(tx, cached),
    over.length > 0 && releaseKeys(tx, over, runLease),
    isInOneTurn(saves) && commitBehind(tx),
  ])
  for (const { also } of saves) await also?.(tx)
}

/**
 * Whether `write` sends all its statements after the first step at once, so that the commit can be sent together with them. This
 * is not so if one of its functions waits for the result of a statement before it sends another.
 */
const isInOneTurn = (saves: readonly Save[]): boolean =>
  saves.every(
    ({ also, gone = [], cached, admission }) =>
      !also && gone.length === 0 && !admission?.intent?.cost && (!cached || filesIn(cached.outputs).length === 0),
  )

const isPaid = ({ closedEntries = [] }: Save): boolean => closedEntries.some(({ outcome }) => outcome === 'charged')

/**
 * Stores paid results of a run that this worker has lost: closes the ledger entries of the calls, and caches their outputs, so
 * that the run's next worker or next start finds them. Of the run itself, only the sums of its costs change.
 */
async function keepPaid(tx: Db, runLease: RunLease, saves: readonly Save[]): Promise<void> {
  const run = await tx.selectFrom('runs').select('id').where('id', '=', runLease.runId).forUpdate().executeTakeFirst()
  await insertCached(
    tx,
    saves.flatMap((save) => (save.cached ? [save.cached] : [])),
  )
  if (!run) return
  await closeEntries(
    tx,
    runLease,
    saves.flatMap(({ closedEntries = [] }) => closedEntries.filter(({ outcome }) => outcome === 'charged')),
  )
}

type Touch = { progressed: boolean; produced: boolean; deleted: boolean; regenerated: string[] }

/**
 * Locks the run, and notes in its row what the saves contain. Returns the run's new count of saves; throws `LostRun` if the
 * run no longer belongs to this worker.
 */
async function touch(tx: Db, { runId, generation, lease }: RunLease, given: Touch): Promise<number> {
  const { progressed, produced, deleted, regenerated } = given
  const { rows } = await sql<{ changes: number }>`${sql.raw(kept('touch_run'))}
    update runs set changes = changes + 1, heartbeat_at = now_ms(),
      idle_lease = null,
      deaths = case when ${progressed} then 0 else deaths end,
      produced_at = case when ${produced} then coalesce(produced_at, now_ms()) else produced_at end,
      last_deletion = case when ${deleted} then changes + 1 else last_deletion end,
      regenerate = case when cardinality(regenerate) = 0 then regenerate
        else array(select one from unnest(regenerate) as one where one <> all(${regenerated}::text[])) end
    where id = ${runId} and generation = ${generation} and lease = ${lease} and status = 'running'
    returning changes, ${limitsIdleTime} as limited`.execute(tx)
  const [row] = rows
  if (!row) throw new LostRun()
  tellChanged(tx, 'run', runId)
  return row.changes
}
