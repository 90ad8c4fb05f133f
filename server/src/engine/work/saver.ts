// In charge of a worker's writes to its run: one transaction at a time, each conditional on the run still being its own.
//
// Whatever waits shares a commit. Where that fails, what has been paid for is written by itself, so that no other's
// trouble takes it along. Sightings (running, progress) go with the next commit, or after a moment.
import { filesIn } from '@atelier/contract/definition.ts'
import { sql } from 'kysely'
import { type Database, type Db, tellChanged } from '../../platform/db.ts'
import { hasOutputs, isOver, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { type CacheEntry, insertCached, releaseKeys } from '../store/cache.ts'
import { type Settlement, settle } from '../store/ledger.ts'
import { type Hold, LostRun } from '../store/runs.ts'
import { deleteItems, saveUnits, useFiles } from '../store/unit-store.ts'
import { patiently } from './retry-while-unavailable.ts'

export type Save = {
  /** As they are to be; copies, since the originals change only once this is written. */
  units: readonly UnitState[]
  /** Items whose elements are gone. */
  gone?: readonly UnitName[]
  settlements?: readonly Settlement[]
  cached?: CacheEntry
  /** A target has outputs now. */
  produced?: boolean
  /** Entries of the run's `regenerate` that have been. */
  regenerated?: readonly string[]
  /** Keys whose computation is over without a result. */
  released?: readonly string[]
  /** More statements of the same transaction. */
  also?: (tx: Db) => Promise<void>
}

export type Saver = {
  /** Resolved once it is on disk. `retryAlone`: tried by itself where it could not be written together with others. */
  save(save: Save, retryAlone?: boolean): Promise<void>
  /** Shows a unit as it is now, some time soon. */
  show(unit: UnitState): void
  /** Resolved once everything asked for so far is written. */
  flush(): Promise<void>
}

type Pending = Save & { retryAlone: boolean; resolve: () => void; reject: (reason: unknown) => void }

const showAfterMs = 150

export function createSaver(database: Database, hold: Hold): Saver {
  const queue: Pending[] = []
  const sightings = new Map<string, UnitState>()
  let writing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null

  const refuse = (pending: readonly Pending[], error: unknown): void => {
    for (const { reject } of pending) reject(error)
  }
  /** One transaction for all; or, if that fails, one for each of `retryAlone`. */
  const writeOut = async (turn: readonly Pending[], seen: readonly UnitState[]): Promise<void> => {
    try {
      await writeTurn(database, hold, turn, seen)
      for (const { resolve } of turn) resolve()
    } catch (error) {
      const alone = turn.length > 1 && !(error instanceof LostRun) ? turn.filter(({ retryAlone }) => retryAlone) : []
      const others = turn.filter((pending) => !alone.includes(pending))
      refuse(others, error)
      if (error instanceof LostRun) refuse(queue.splice(0), error)
      for (const pending of alone) await writeOut([pending], [])
    }
  }
  const drain = async (): Promise<void> => {
    while (queue.length > 0 || sightings.size > 0) {
      const turn = queue.splice(0)
      for (const { units } of turn) for (const unit of units) sightings.delete(unitKey(unit))
      const seen = [...sightings.values()]
      sightings.clear()
      await writeOut(turn, seen)
    }
  }
  const begin = (): Promise<void> => {
    if (timer) clearTimeout(timer)
    timer = null
    writing ??= drain().finally(() => {
      writing = null
      if (queue.length > 0) void begin() // asked for between the last look at the queue and now
    })
    return writing
  }

  return {
    save: (save, retryAlone = false) =>
      new Promise((resolve, reject) => {
        queue.push({ ...save, retryAlone, resolve, reject })
        void begin()
      }),
    show: (unit) => {
      sightings.set(unitKey(unit), { ...unit })
      timer ??= setTimeout(begin, showAfterMs)
    },
    flush: async () => {
      do await begin()
      while (queue.length > 0 || sightings.size > 0)
    },
  }
}

/** Writes a turn. Where the answer to a commit was lost with its connection, the second attempt finds it written. */
async function writeTurn(database: Database, hold: Hold, turn: readonly Save[], seen: readonly UnitState[]) {
  let isRepeat = false
  try {
    await patiently((again) => {
      isRepeat = again
      return database.tx((tx) => write(tx, hold, turn, seen))
    })
  } catch (error) {
    if (!(error instanceof SettledBefore && isRepeat)) throw error
  }
}

/** Paid work has its ledger entry settled once. */
class SettledBefore extends Error {
  constructor() {
    super('A unit of work was about to be charged twice.')
  }
}

async function write(tx: Db, hold: Hold, saves: readonly Save[], seen: readonly UnitState[]): Promise<void> {
  const settlements = saves.flatMap((save) => save.settlements ?? [])
  const charged = settlements.reduce((sum, { outcome, credits }) => sum + (outcome === 'charged' ? credits : 0), 0)
  const units = saves.flatMap((save) => save.units)
  const change = await touch(tx, hold, {
    charged,
    progressed: units.some(isOver),
    produced: saves.some((save) => save.produced),
    deleted: saves.some(({ gone = [] }) => gone.length > 0),
    regenerated: saves.flatMap((save) => save.regenerated ?? []),
  })
  if ((await settle(tx, hold, settlements)) !== charged) throw new SettledBefore()
  // A unit may be saved twice in one turn; its last state counts.
  const last = new Map([...seen, ...units].map((unit) => [unitKey(unit), unit]))
  await saveUnits(tx, hold.runId, [...last.values()], { change, generation: hold.generation })
  await deleteItems(
    tx,
    hold.runId,
    saves.flatMap((save) => save.gone ?? []),
  )
  await useFiles(
    tx,
    'run',
    hold.runId,
    units.filter(hasOutputs).flatMap(({ outputs }) => filesIn(outputs).map(({ digest }) => digest)),
  )
  const cached = saves.flatMap((save) => (save.cached ? [save.cached] : []))
  await insertCached(tx, cached)
  const over = [...cached.map(({ key }) => key), ...saves.flatMap((save) => save.released ?? [])]
  if (over.length > 0) await releaseKeys(tx, over, hold)
  for (const { also } of saves) await also?.(tx)
}

type Touch = { charged: number; progressed: boolean; produced: boolean; deleted: boolean; regenerated: string[] }

/** Locks the run, and makes sure that it is still ours. Answers the count its saves have reached. */
async function touch(tx: Db, { runId, generation, lease }: Hold, given: Touch): Promise<number> {
  const { charged, progressed, produced, deleted, regenerated } = given
  const { rows } = await sql<{ changes: number }>`
    update runs set changes = changes + 1, heartbeat_at = now_ms(),
      credits_consumed = credits_consumed + ${charged}, credits_total = credits_total + ${charged},
      deaths = case when ${progressed} then 0 else deaths end,
      produced_at = case when ${produced} then coalesce(produced_at, now_ms()) else produced_at end,
      last_deletion = case when ${deleted} then changes + 1 else last_deletion end,
      regenerate = case when cardinality(regenerate) = 0 then regenerate
        else array(select one from unnest(regenerate) as one where one <> all(${regenerated}::text[])) end
    where id = ${runId} and generation = ${generation} and lease = ${lease} and status = 'running'
    returning changes`.execute(tx)
  const [row] = rows
  if (!row) throw new LostRun()
  tellChanged(tx, 'run', runId)
  return row.changes
}
