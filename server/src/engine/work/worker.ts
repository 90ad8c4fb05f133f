// In charge of a process's work on runs: takes wake-ups, claims runs, shows that it lives, and stops in good order.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { lackedBy } from '../model/needs.ts'
import type { WakeupJob } from '../store/queue.ts'
import { beatOf, type RunRow } from '../store/runs.ts'
import { advertise, seenOf, withdraw } from '../store/workers.ts'
import { claimRun } from '../transitions/claim.ts'
import type { Engine } from './engine.ts'
import { type Heartbeat, ownHeartbeat, threadHeartbeat } from './heartbeat.ts'
import { createReconciler, recoverAll } from './reconciler.ts'
import { repeat } from './repeat.ts'
import { type Execution, execute } from './run-loop.ts'
import { claimStranded, LacksTypes, strand } from './stranded.ts'

export type Worker = {
  start(): Promise<void>
  /** Begins nothing more, lets calls under way end for so long, then hands unfinished runs to others. */
  stop(graceMs?: number): Promise<void>
  /** Runs under way. */
  running(): number
}

/**
 * `name` tells which process has a run; `runs`: how many at once. `url`: of a PostgreSQL database, for a thread that shows the
 * worker's life whatever the worker is at.
 */
export type WorkerOptions = { name: string; runs: number; url?: string | null }

const defaultGraceMs = 8_000

export function createWorker(engine: Engine, { name, runs, url = null }: WorkerOptions): Worker {
  const { database, queue, timing } = engine
  const executions = new Map<string, Execution>()
  const stopping = new AbortController()
  const id = randomUUID()

  const begin = (run: RunRow): void => {
    engine.crash('claimed')
    const execution = execute(engine, run)
    // A run that was taken from this process while it hung, and has come back to it: its first execution is over.
    executions.get(run.id)?.lose()
    executions.set(run.id, execution)
    if (stopping.signal.aborted) execution.stop()
    beats.poke() // the thread learns of it before anything is computed for it
    void execution.done.then(() => {
      if (executions.get(run.id) === execution) executions.delete(run.id)
      takes.poke()
    })
  }
  /** Takes what there is, as long as there is room. */
  const takeWork = async (): Promise<void> => {
    while (!stopping.signal.aborted && executions.size < runs) {
      const run = await database.tx((tx) => claimStranded(tx, engine, name))
      if (!run) break
      begin(run)
    }
    while (!stopping.signal.aborted && executions.size < runs) {
      const jobs = await queue.fetch(runs - executions.size)
      if (jobs.length === 0) return
      for (const job of jobs) {
        const run = await claimOrStrand(engine, job, name)
        if (run) begin(run)
      }
    }
  }
  let heartbeat = ownHeartbeat(database)
  const showLife = () => beat(heartbeat, { database, seen: seenOf(database.main, id), held: [...executions.values()] })
  const again = { log: engine.log, signal: stopping.signal }
  const takes = repeat({ ...again, seconds: timing.poll, work: takeWork })
  const beats = repeat({ ...again, seconds: timing.beat, work: () => showLife() })
  const show = () => advertise(database.main, id, name, engine.has)
  const shows = repeat({ ...again, seconds: timing.resend, work: show })
  const reconciler = createReconciler(engine, () => showLife())
  const loops: Promise<void>[] = []

  return {
    running: () => executions.size,
    async start() {
      if (database.kind === 'embedded') await recoverAll(engine)
      await show()
      if (url !== null) heartbeat = threadHeartbeat(url, timing.beat, heartbeat)
      await database.listen('atelier_runs', takes.poke)
      await database.listen('atelier_held', (runId) => {
        if (executions.has(runId)) beats.poke()
      })
      reconciler.start()
      loops.push(takes.start(), beats.start(), shows.start())
    },
    async stop(graceMs = defaultGraceMs) {
      stopping.abort()
      for (const execution of executions.values()) execution.stop()
      // A claim under way may still bring a run; it is stopped as it begins.
      const ended = Promise.all([...loops, reconciler.stop()]).then(() =>
        Promise.all([...executions.values()].map(({ done }) => done)),
      )
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })])
      for (const execution of executions.values()) execution.abort()
      await ended
      await heartbeat.stop()
      await withdraw(database.main, id).catch((error: unknown) =>
        engine.log.warn({ err: error }, 'a worker that has stopped is still listed, for some seconds'),
      )
    },
  }
}

/** The run a wake-up is for; undefined where the run went on without it, or was set aside for other workers. */
async function claimOrStrand(engine: Engine, job: WakeupJob, name: string): Promise<RunRow | undefined> {
  try {
    return await claim(engine, job, name)
  } catch (error) {
    if (!(error instanceof LacksTypes)) throw error
    await engine.database.tx((tx) => strand(tx, engine.queue, job, error))
    engine.log.warn({ run: job.runId }, `a run waits for a worker that has its node types: ${error.message}`)
    return undefined
  }
}

/** Claims the run a wake-up is for, and consumes the wake-up, in one transaction. */
const claim = ({ database, queue, has }: Engine, job: WakeupJob, name: string): Promise<RunRow | undefined> =>
  database.tx(async (tx) => {
    const run = job.runId === '' ? undefined : await claimRun(tx, job.runId, job.lease, name)
    const missing = run ? lackedBy(has, run) : []
    if (run && missing.length > 0) throw new LacksTypes(run, missing)
    await queue.consume(tx, job)
    return run
  })

type Beaten = Pick<Engine, 'database'> & { seen: CompiledQuery; held: readonly Execution[] }

/** Shows that these runs are worked on, and passes on what is asked of them. */
async function beat(heartbeat: Heartbeat, { database, seen, held }: Beaten): Promise<void> {
  const holds = held.map(({ hold }) => hold)
  const beats = await heartbeat.beat(holds.length === 0 ? null : beatOf(database.main, holds), [seen])
  const byId = new Map(beats.map((one) => [one.id, one]))
  for (const execution of held) {
    const told = byId.get(execution.hold.runId)
    if (!told) execution.lose()
    else if (told.cancel) execution.cancel()
    else execution.answered(told.answers)
  }
}
