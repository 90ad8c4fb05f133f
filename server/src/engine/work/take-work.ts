// In charge of which runs a worker claims: as many as it has room for, and none that another worker would finish sooner.
import { setTimeout as wait } from 'node:timers/promises'
import { lackedBy } from '../model/needs.ts'
import { isSuspect, suspectDeaths } from '../model/suspects.ts'
import type { WakeupJob } from '../store/queue.ts'
import type { RunRow } from '../store/runs.ts'
import { claimRun, setAside } from '../transitions/claim.ts'
import type { Engine } from './engine.ts'
import { claimStranded, LacksTypes, strand } from './stranded.ts'

type Taking = {
  name: string
  /** How many more runs it may take. */
  room(): number
  load(): Omit<Load, 'isShort'>
  /** `trace`: the `traceparent` of the request that started the run. */
  begin(run: RunRow, trace: string | null): void
  signal: AbortSignal
}

/** Claims pending runs, as long as there is room. */
export function createTaking(engine: Engine, { name, room, load, begin, signal }: Taking): () => Promise<void> {
  /** Whether wake-ups were left over at this worker's last poll. */
  let isShort = false
  const takeStranded = async (): Promise<void> => {
    while (room() > 0) {
      const isAlone = load().runs === 0
      const run = await engine.database.tx((tx) => claimStranded(tx, engine, { worker: name, isAlone }))
      if (!run) return
      begin(run, null)
    }
  }
  return async () => {
    await takeStranded()
    await wait(leaveToOthersMs({ ...load(), isShort }), undefined, { signal }).catch(() => undefined)
    while (room() > 0) {
      const jobs = await engine.queue.fetch(load().hasOthers ? 1 : room())
      isShort = jobs.length > 0
      if (!isShort) return
      for (const job of jobs) {
        const run = await claimOrLeave(engine, job, { worker: name, isAlone: load().runs === 0 })
        if (run) begin(run, job.trace)
        // A suspect is alone from here on; the other wake-ups are sent again.
        if (room() === 0) return
      }
    }
  }
}

/** How busy a worker is, and what it knows of the others. */
export type Load = { runs: number; isFull: boolean; hasOthers: boolean; isShort: boolean }

/**
 * How long a worker leaves a wake-up to others, which take it meanwhile if they are less busy. Where wake-ups were left
 * over, all workers are busy, and waiting gains nothing.
 */
export function leaveToOthersMs({ runs, isFull, hasOthers, isShort }: Load): number {
  if (!hasOthers || isShort) return 0
  return Math.min(runs * 10, 50) + (isFull ? 50 : 0)
}

type Claimant = { worker: string; isAlone: boolean }

/** Thrown out of a claim, which it rolls back. */
class NotAlone extends Error {}

/** Claims the run of a wake-up; undefined where the wake-up is outdated, or the run is left to other workers. */
async function claimOrLeave(engine: Engine, job: WakeupJob, claimant: Claimant): Promise<RunRow | undefined> {
  try {
    return await claim(engine, job, claimant)
  } catch (error) {
    if (error instanceof NotAlone) {
      // The wake-up is not consumed: the reconciler sends another, to a worker that is idle by then.
      await engine.database.tx((tx) => setAside(tx, job.runId, job.lease, suspected))
      return undefined
    }
    if (!(error instanceof LacksTypes)) throw error
    await engine.database.tx((tx) => strand(tx, engine.queue, job, error))
    engine.log.warn({ run: job.runId }, `a run waits for a worker that has its node types: ${error.message}`)
    return undefined
  }
}

const suspected = `It waits for a worker that has nothing else to do: ${suspectDeaths} workers in a row were lost while they had it, and it is tried by itself before it is given up.`

/** Claims the run of a wake-up, and consumes the wake-up, in one transaction. */
const claim = ({ database, queue, has }: Engine, job: WakeupJob, { worker, isAlone }: Claimant) =>
  database.tx(async (tx): Promise<RunRow | undefined> => {
    const run = job.runId === '' ? undefined : await claimRun(tx, job.runId, job.lease, worker)
    const missing = run ? lackedBy(has, run) : []
    if (run && missing.length > 0) throw new LacksTypes(run, missing)
    if (run && isSuspect(run) && !isAlone) throw new NotAlone()
    await queue.consume(tx, job)
    return run
  })
