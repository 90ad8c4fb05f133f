// In charge of choosing the runs that a worker claims: as many as it has room for, except those that another worker would
// finish sooner.
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
  /** How many more runs the worker may claim. */
  room(): number
  load(): Omit<Load, 'isShort'>
  /** `trace`: the `traceparent` of the request that started the run; null if it is unknown. */
  begin(run: RunRow, trace: string | null): void
  signal: AbortSignal
}

/** Returns the function that claims runs while there is room: first runs in `stranded_runs`, then those of fetched wake-ups. */
export function createTaking(engine: Engine, { name, room, load, begin, signal }: Taking): () => Promise<void> {
  /**
   * Whether this worker's last fetch returned wake-ups, although the worker had waited so that others could fetch them first.
   * Then the others are busy too.
   */
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
        // Some of the fetched wake-ups may then be left over, for example because a suspect has begun and no other run may
        // begin beside it. The reconciler sends them again.
        if (room() === 0) return
      }
    }
  }
}

/**
 * How busy a worker is. `runs`: how many runs it executes; `isFull`: whether all its slots are in use and calls wait;
 * `hasOthers`: whether there are other workers; `isShort`: whether its last fetch returned wake-ups.
 */
export type Load = { runs: number; isFull: boolean; hasOthers: boolean; isShort: boolean }

/**
 * For how many milliseconds a worker waits before it fetches wake-ups, so that less busy workers can fetch them earlier. If
 * its last fetch returned wake-ups in spite of that, the other workers are busy too, and the worker does not wait.
 */
export function leaveToOthersMs({ runs, isFull, hasOthers, isShort }: Load): number {
  if (!hasOthers || isShort) return 0
  return Math.min(runs * 10, 50) + (isFull ? 50 : 0)
}

type Claimant = { worker: string; isAlone: boolean }

/** Thrown in the transaction of a claim, to undo the claim: the run is a suspect, and this worker executes other runs. */
class NotAlone extends Error {}

/** Claims the run of a wake-up. Returns undefined if the wake-up is outdated, or if the run is left to other workers. */
async function claimOrLeave(engine: Engine, job: WakeupJob, claimant: Claimant): Promise<RunRow | undefined> {
  try {
    return await claim(engine, job, claimant)
  } catch (error) {
    if (error instanceof NotAlone) {
      // The wake-up is not consumed: the reconciler replaces it later, and an idle worker may receive the new one.
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

/** Claims the run of a wake-up and consumes the wake-up, in one transaction. */
const claim = ({ database, queue, has }: Engine, job: WakeupJob, { worker, isAlone }: Claimant) =>
  database.tx(async (tx): Promise<RunRow | undefined> => {
    const run = job.runId === '' ? undefined : await claimRun(tx, job.runId, job.lease, worker)
    const missing = run ? lackedBy(has, run) : []
    if (run && missing.length > 0) throw new LacksTypes(run, missing)
    if (run && isSuspect(run) && !isAlone) throw new NotAlone()
    await queue.consume(tx, job)
    return run
  })
