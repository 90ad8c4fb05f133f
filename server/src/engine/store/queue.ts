// In charge of waking workers: pg-boss transports the ids of queued runs as jobs. The rows of `runs` remain the source of
// truth.
//
// A job is a wake-up for one lease of one run. If a job is delivered late, the run has a newer lease by then, and the job has
// no effect. The transaction that claims the run also consumes the job, so that both happen or neither; from then on the run's
// heartbeat shows that its worker is alive. If a job is lost (a worker died between fetch and claim, or the job expired), the
// reconciler finds the queued run and sends a new job.
import { CompiledQuery, sql } from 'kysely'
import { type Db as BossDb, PgBoss, systemClock } from 'pg-boss'
import type { Database, Db } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { traceparent } from '../../platform/tracing/spans.ts'

type Wakeup = { runId: string; lease: number }
/** `trace`: the `traceparent` of the request that sent the wake-up; null if that request was not traced. */
export type WakeupJob = Wakeup & { id: string; retryCount: number; trace: string | null }

export type RunQueue = {
  /** Creates or upgrades the queue's tables; `supervise`: this process also does pg-boss's maintenance. */
  start(supervise: boolean): Promise<void>
  /** Sends wake-ups within a transaction. A wake-up that is already pending is not sent twice. */
  send(tx: Db, wakeups: readonly Wakeup[]): Promise<void>
  /** Fetches at most this number of wake-ups. No other process gets them after that. */
  fetch(take: number): Promise<WakeupJob[]>
  /**
   * Deletes wake-ups that were fetched at least this many seconds ago and were not consumed: the worker that fetched them has
   * died, or did not claim their runs, for example because it was busy. No process would get these wake-ups any more; so the
   * reconciler, which calls this, sends new ones.
   */
  dropTaken(tx: Db, seconds: number): Promise<void>
  /** Consumes a wake-up in the transaction that claims its run. */
  consume(tx: Db, job: WakeupJob): Promise<void>
  stop(): Promise<void>
}

const queue = 'run'
const keyOf = ({ runId, lease }: Wakeup): string => `${runId}/${lease}`

const options = {
  policy: 'exclusive', // at most one unfinished job for each key
  retryLimit: 0, // only the reconciler sends a lost wake-up again, since it knows the state of the run
  expireInSeconds: 15, // a fetched job that is not consumed within this time expires
  retentionSeconds: 3600,
  deleteAfterSeconds: 600,
}

/**
 * Time for pg-boss, which by default asks the system's clock how long it still has to wait. If that clock is set back by 25 days or
 * more, the wait is longer than a timer can be, and Node.js then runs the timer every millisecond.
 */
const monotonic = { ...systemClock, now: () => performance.timeOrigin + performance.now() }

export function createQueue(database: Database, log: Log): RunQueue {
  const boss = new PgBoss({
    db: ofDatabase(database),
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    schedule: false,
    supervise: false,
    reindex: false, // these tables stay small, and a reindex cannot run in a transaction
    monitorVacuum: false,
    clock: monotonic,
  })
  boss.on('error', (error) =>
    log.warn({ err: error }, 'the queue of runs had an error; the reconciler sends again what was lost'),
  )
  let supervising: NodeJS.Timeout | undefined

  return {
    async start(supervise) {
      await boss.start()
      if ((await boss.getQueue(queue)) === null) await boss.createQueue(queue, options)
      // On its first send, pg-boss reads the options of the queue on the main database handle. Inside a transaction of the
      // embedded database, which has only one connection, that would wait for ever. This send, outside a transaction, makes
      // pg-boss cache the options; its job wakes no run.
      await boss.send(queue, { run_id: '', lease: 0 }, { singletonKey: 'warm' })
      if (!supervise) return
      const tidy = () =>
        void boss.supervise(queue).catch((error: unknown) => log.warn({ err: error }, 'the queue was not tidied'))
      supervising = setInterval(tidy, 30_000)
    },
    async send(tx, wakeups) {
      if (wakeups.length === 0) return
      const trace = traceparent()
      const jobs = wakeups.map((wakeup) => ({
        data: { run_id: wakeup.runId, lease: wakeup.lease, ...(trace === null ? {} : { trace }) },
        singletonKey: keyOf(wakeup),
      }))
      await boss.insert(queue, jobs, { db: ofTransaction(tx) })
      // The notification is delivered when the transaction commits. If it gets lost, workers find the jobs when they poll.
      await sql`select pg_notify('atelier_runs', '')`.execute(tx)
    },
    async fetch(take) {
      const jobs = await boss.fetch<{ run_id: string; lease: number; trace?: string }>(queue, {
        batchSize: take,
        includeMetadata: true,
      })
      return jobs.map(({ id, retryCount, data: { run_id: runId, lease, trace = null } }) => {
        return { id, retryCount, runId, lease, trace }
      })
    },
    async dropTaken(tx, seconds) {
      await sql`
        delete from pgboss.job where name = ${queue} and state = 'active'
          and started_on < now() - make_interval(secs => ${seconds})`.execute(tx)
    },
    async consume(tx, { id, retryCount }) {
      await boss.complete(queue, { id, retryCount }, null, { db: ofTransaction(tx) })
    },
    async stop() {
      clearInterval(supervising)
      await boss.stop({ graceful: false, close: false })
    },
  }
}

/**
 * Whether the run `r` has a wake-up for its lease that is not consumed. A run that was set aside counts as having one:
 * workers with its node types find it in `stranded_runs`.
 */
export const hasWakeup = sql<boolean>`(exists (
  select from pgboss.job j where j.name = ${queue} and j.state in ('created', 'retry', 'active')
    and j.singleton_key = r.id || '/' || r.lease)
  or exists (select from stranded_runs s where s.run_id = r.id and s.lease = r.lease))`

/**
 * Lets pg-boss use our database handle. A command without values may consist of several statements, and may even begin and
 * commit a transaction itself, so it is executed as a script.
 */
const ofDatabase = (database: Database): BossDb => ({
  executeSql: async (text, values = []) =>
    values.length === 0 ? { rows: await database.script(text) } : executed(database.main, text, values),
})

const ofTransaction = (tx: Db): BossDb => ({ executeSql: (text, values = []) => executed(tx, text, values) })

async function executed(db: Db, text: string, values: unknown[]) {
  const { rows } = await db.executeQuery(CompiledQuery.raw(text, values))
  return { rows: [...rows] }
}
