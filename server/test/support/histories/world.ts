// In charge of one run in a history: requests of users about it, and workers that take it, hang, die and come back.
import { sql } from 'kysely'
import { hasWakeup } from '../../../src/engine/store/queue.ts'
import { heartbeatStatement } from '../../../src/engine/store/runs.ts'
import { findItems } from '../../../src/engine/store/unit-store.ts'
import type { Engine } from '../../../src/engine/work/engine.ts'
import { reconcile } from '../../../src/engine/work/reconciler.ts'
import { type Execution, executeRun } from '../../../src/engine/work/run-loop.ts'
import type { Database } from '../../../src/platform/db.ts'
import { take } from '../engine.ts'

export type Asked = { status: number; code: string; data: unknown; text: string }
export type Ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown) => Promise<Asked>

/** What histories share: a service, its database, and workers with different names. */
export type Stage = {
  ask: Ask
  database: Database
  engines: readonly Engine[]
  graphId: string
  taskId: string
  definition: object
  otherDefinition: object
  /** What histories have done and observed → how often; `counted` and `createWatcher` count here. */
  seen: Record<string, number>
}

export type World = {
  id: string
  answers: Asked[]
  ask: Ask
  /** The starts that chose an earlier take for an item, each with the generation that it began. */
  choices: { runId: string; generation: number; node: string; item: string }[]
  /** Starts the run with an earlier take for the item at `position` of a node; `place`: the take's index in the list of takes. */
  choose(node: string, position: number, place: number): Promise<void>
  /** A worker takes the run if it is available, and starts to work on it. */
  work(): Promise<void>
  beat(): Promise<void>
  /** Lets the process of the newest worker die: from now on nothing that this worker does has an effect. */
  die(): void
  /** Stops the newest worker at once, in an orderly way. */
  stop(): void
  /** Makes the last heartbeat of the run's worker an hour older, whether it lives or not, and runs the sweep (`reconcile`). */
  overdue(): Promise<void>
  /** Does what `overdue` does; then another worker takes the run at once. */
  takeOver(): Promise<void>
  /** Makes a pending cancel an hour older, as if no worker had reacted to it, and runs the sweep (`reconcile`). */
  unheeded(): Promise<void>
  /** Waits until no worker can do anything more by itself. */
  settle(): Promise<void>
}

export async function createWorld({ ask, database, engines, graphId }: Stage): Promise<World> {
  const made = await ask('POST', `/graphs/${graphId}/runs`, {})
  const id = memberOf(made.data, 'id')
  if (typeof id !== 'string') throw new Error(`No run was made: ${made.text}`)
  const answers: Asked[] = []
  const choices: World['choices'] = []
  const workers: { execution: Execution; engine: Engine; dead: { is: boolean } }[] = []
  let taken = 0

  const aged = (column: 'heartbeat_at' | 'cancel_requested_at') =>
    sql`update runs set ${sql.ref(column)} = ${sql.ref(column)} - interval '1 hour' where id = ${id}`.execute(
      database.main,
    )
  const sweepNow = async (): Promise<void> => {
    const [engine] = engines
    if (engine) await reconcile(engine)
  }
  const work = async (): Promise<void> => {
    const engine = engines[taken % engines.length]
    if (!engine) return
    const dead = { is: false }
    const mortal = { ...engine, database: mortalHandle(engine.database, dead) }
    const run = await take(mortal, id, nameOf(taken % engines.length))
    if (!run) return
    taken += 1
    workers.push({ execution: executeRun(mortal, run), engine: mortal, dead })
  }
  const overdue = async (): Promise<void> => {
    await aged('heartbeat_at')
    await sweepNow()
  }
  const beat = async (): Promise<void> => {
    for (const { execution, engine, dead } of workers) {
      if (dead.is) continue
      const { main } = engine.database
      const hold = { ...execution.runLease, isIdle: execution.isIdle() }
      const [told] = (await main.executeQuery(heartbeatStatement(main, [hold]))).rows
      if (!told) execution.onLeaseLost()
      else if (told.cancel) execution.cancel()
      else execution.answered(told.answers)
    }
  }
  const askFor: Ask = async (method, path, body) => {
    const answer = await ask(method, path, body)
    answers.push(answer)
    return answer
  }
  const choose: World['choose'] = async (node, position, place) => {
    const { data } = await ask('GET', `/runs/${id}/nodes/${node}/takes?item=${position}`)
    const takes = memberOf(data, 'takes')
    const take = Array.isArray(takes) ? memberOf(takes[place], 'id') : undefined
    if (typeof take !== 'string') return
    const started = await askFor('POST', `/runs/${id}/start`, {
      choose: [{ node_id: node, item: position, take }],
    })
    const [runId, generation] = [memberOf(started.data, 'id'), memberOf(started.data, 'generation')]
    if (typeof runId !== 'string' || typeof generation !== 'number') return
    const [unit] = await findItems(database.main, id, [{ node, position }])
    if (unit) choices.push({ runId, generation, node, item: unit.item })
  }
  return {
    id,
    answers,
    choices,
    choose,
    ask: askFor,
    work,
    overdue,
    async takeOver() {
      await overdue()
      await work()
    },
    beat,
    die() {
      const newest = workers.at(-1)
      if (!newest) return
      newest.dead.is = true
      newest.execution.onLeaseLost() // else the execution waits forever for a heartbeat that a dead worker never sends
    },
    stop: () => workers.at(-1)?.execution.abort(),
    async unheeded() {
      await aged('cancel_requested_at')
      await sweepNow()
    },
    settle: async () => {
      await beat() // a worker that has lost the run learns this here, as it would by its next heartbeat
      await Promise.all(workers.filter(({ dead }) => !dead.is).map(({ execution }) => execution.done))
    },
  }
}

/** A worker's name, in the row of its run and as the application name on its connections. */
export const nameOf = (worker: number): string => `model/${worker}`

/** A worker's handle: once the worker is dead, it starts no transaction and returns no result of an open one. */
const mortalHandle = (database: Database, dead: { is: boolean }): Database => ({
  ...database,
  tx: async (work) => {
    if (dead.is) return silence()
    const result = await database.tx((tx) => (dead.is ? silence() : work(tx)))
    return dead.is ? silence() : result
  },
})

const silence = (): never => {
  throw new Gone()
}
/** Thrown in place of a result, so that the code of a dead process does not continue. */
class Gone extends Error {}

/** Invariants that must be true once no worker is left and the sweep has run; returns the violations. */
export async function judge({ database }: Stage, id: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'the run is ' || r.status || ' with no wake-up' as what from runs r
      where r.id = ${id} and r.status = 'queued' and not ${hasWakeup}
    union all select 'the run is running with no worker' from runs r where r.id = ${id} and r.status = 'running' and r.worker is null
    union all select 'credits: ' || r.credits_total || ' of ' || e.ever || ', now ' || r.credits_consumed || ' of ' || e.now
      from runs r, lateral (select coalesce(sum(credits), 0) as ever,
        coalesce(sum(credits) filter (where generation = r.generation), 0) as now from credit_entries where run_id = r.id) e
      where r.id = ${id} and (r.credits_total <> e.ever or r.credits_consumed > e.now)
    union all select 'at rest, an entry is open' from runs r join credit_entries e on e.run_id = r.id
      where r.id = ${id} and e.outcome = 'intended' and r.status not in ('queued', 'running')
    union all select 'at rest, a key is claimed' from runs r join cache_claims c on c.run_id = r.id
      where r.id = ${id} and r.status not in ('queued', 'running')
    union all select 'at rest, ' || s.node_id || ' is ' || s.status from runs r join run_states s on s.run_id = r.id
      where r.id = ${id} and r.status in ('succeeded', 'failed', 'cancelled') and s.item_count is null
        and s.status not in ('succeeded', 'cached', 'failed', 'skipped', 'cancelled')
    union all select 'at rest as ' || r.status || ', it has a worker' from runs r
      where r.id = ${id} and r.status <> 'running' and r.worker is not null
    union all select 'succeeded, and ' || s.node_id || ' ' || s.status from runs r join run_states s on s.run_id = r.id
      where r.id = ${id} and r.status = 'succeeded' and s.item_count is null and s.status in ('failed', 'cancelled')`.execute(
    database.main,
  )
  return rows.map(({ what }) => what)
}

export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
