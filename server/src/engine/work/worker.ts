// In charge of the work of one process on runs: it fetches wake-ups, claims runs, sends heartbeats, and stops without losing
// work.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CompiledQuery } from 'kysely'
import { isUnavailable } from '../../platform/db.ts'
import { aloneMs, isSuspect } from '../model/suspects.ts'
import { heartbeatStatement, lateBeatStatement, markBusyStatement, type RunRow } from '../store/runs.ts'
import { advertise, seenOf, withdraw } from '../store/workers.ts'
import type { Engine } from './engine.ts'
import { type Heartbeat, ownHeartbeat, threadHeartbeat } from './heartbeat.ts'
import { createReconciler, recoverAll } from './reconciler.ts'
import { repeat } from './repeat.ts'
import { type Execution, executeRun } from './run-loop.ts'
import { createTaking } from './take-work.ts'

export type Worker = {
  start(): Promise<void>
  /**
   * Claims no more runs and begins no more calls; calls in progress may end within the grace period, then they are aborted.
   * Requeues the runs that are not finished.
   */
  stop(graceMs?: number): Promise<void>
  /** How many runs the worker is executing. */
  running(): number
}

/**
 * `name`: the name of the process, which is written to the runs that it claims; `runs`: how many runs it executes at the same
 * time. `url`: the URL of the PostgreSQL database, for a thread that sends heartbeats even while the worker is busy; null: no
 * such thread is started.
 */
export type WorkerOptions = { name: string; runs: number; url?: string | null }

const defaultGraceMs = 8_000

export function createWorker(engine: Engine, { name, runs, url = null }: WorkerOptions): Worker {
  const { database, timing } = engine
  const executions = new Set<Execution>()
  /** Suspects → the time until which each is executed alone, on the clock of `performance.now`. */
  const suspects = new Map<Execution, number>()
  const stopping = new AbortController()
  const id = randomUUID()
  let hasOthers = false

  const begin = (run: RunRow, trace: string | null): void => {
    engine.crash('claimed')
    const execution = executeRun(engine, run, trace)
    // This process may still be executing the run: if it hung, another worker may have taken over the run and then released it
    // for this new claim. The earlier execution in this process has to stop.
    for (const earlier of executions) if (earlier.runLease.runId === run.id) earlier.onLeaseLost()
    executions.add(execution)
    if (isSuspect(run)) suspects.set(execution, performance.now() + aloneMs)
    if (stopping.signal.aborted) execution.stop()
    heartbeats.poke() // the run's first heartbeat is sent at once: computing for the run may keep this thread busy
    void execution.done.then(() => {
      executions.delete(execution)
      suspects.delete(execution)
      taking.poke()
    })
  }
  /**
   * Whether no other run may begin, because a suspect is executed alone. While a suspect is idle, for example because it waits
   * for a slot, other runs may begin.
   */
  const isAlone = (): boolean =>
    [...suspects].some(([suspect, until]) => performance.now() < until && !suspect.isIdle())
  const room = (): number => (stopping.signal.aborted || isAlone() ? 0 : runs - executions.size)
  const load = () => ({ runs: executions.size, isFull: engine.slots.isFull(), hasOthers })
  const takeWork = createTaking(engine, { name, room, load, begin, signal: stopping.signal })
  let heartbeat = ownHeartbeat(database)
  const showLife = () => sendHeartbeats(heartbeat, { database, seen: seenOf(database.main, id), held: [...executions] })
  const again = { log: engine.log, signal: stopping.signal }
  const taking = repeat({ ...again, seconds: timing.pollSeconds, work: takeWork })
  const heartbeats = repeat({ ...again, seconds: timing.heartbeatSeconds, work: () => showLife() })
  const show = async (): Promise<void> => {
    hasOthers = await advertise(database.main, id, name, engine.has)
  }
  const advertising = repeat({ ...again, seconds: timing.resendSeconds, work: show })
  const reconciler = createReconciler(engine, () => showLife())
  const loops: Promise<void>[] = []

  return {
    running: () => executions.size,
    async start() {
      if (database.kind === 'embedded') await recoverAll(engine)
      // A database that takes nothing just now ends no start: the loop below tries again at once, and then as often as ever.
      await show().catch((error: unknown) => {
        if (!isUnavailable(error)) throw error
      })
      if (url !== null) heartbeat = threadHeartbeat(url, timing.heartbeatSeconds, heartbeat)
      await database.listen('atelier_runs', taking.poke)
      await database.listen('atelier_held', (runId) => {
        if ([...executions].some(({ runLease }) => runLease.runId === runId)) heartbeats.poke()
      })
      reconciler.start()
      await engine.providers.start()
      loops.push(taking.start(), heartbeats.start(), advertising.start())
    },
    async stop(graceMs = defaultGraceMs) {
      stopping.abort()
      for (const execution of executions) execution.stop()
      // A claim that is in progress may still succeed. `begin` then stops the claimed run at once.
      const ended = Promise.all([...loops, reconciler.stop()]).then(() =>
        Promise.all([...executions].map(({ done }) => done)),
      )
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })])
      for (const execution of executions) execution.abort()
      await ended
      await heartbeat.stop()
      await engine.providers
        .renew()
        .catch((error: unknown) =>
          engine.log.warn({ err: error }, 'calls of providers are still held, for some seconds'),
        )
      await withdraw(database.main, id).catch((error: unknown) =>
        engine.log.warn({ err: error }, 'a worker that has stopped is still listed, for some seconds'),
      )
    },
  }
}

type HeartbeatParts = Pick<Engine, 'database'> & { seen: CompiledQuery; held: readonly Execution[] }

/**
 * Sends the heartbeats of the runs in `held`, and tells their executions what the replies say: that the run is lost, that a
 * cancel was requested, or how many answers were given.
 */
async function sendHeartbeats(heartbeat: Heartbeat, { database, seen, held }: HeartbeatParts): Promise<void> {
  const { main } = database
  const leases = held.map(({ runLease, isIdle }) => ({ ...runLease, isIdle: isIdle() }))
  const beats = await heartbeat.send(leases.length === 0 ? null : heartbeatStatement(main, leases), {
    late: lateBeatStatement(main, leases),
    besides: [seen, markBusyStatement(main, leases)],
  })
  const byId = new Map(beats.map((one) => [one.id, one]))
  for (const execution of held) {
    const row = byId.get(execution.runLease.runId)
    if (row?.lease !== execution.runLease.lease) execution.onLeaseLost()
    else if (row.cancel) execution.cancel()
    else execution.answered(row.answers)
  }
}
