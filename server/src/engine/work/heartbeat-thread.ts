// In charge of the thread that sends a worker's heartbeats. While the main thread is busy and sends no new statements, the
// thread repeats the last ones that it received. See heartbeat.ts.
import { parentPort, workerData } from 'node:worker_threads'
import pg from 'pg'
import { setSettings } from '../../platform/session-settings.ts'
import type { HeartbeatReply, HeartbeatRequest, HeartbeatStatement, HeartbeatThreadOptions } from './heartbeat.ts'

const { url, seconds, frozenSeconds }: HeartbeatThreadOptions = workerData

let client: pg.Client | null = null
let request: HeartbeatRequest | null = null
let heardAt = 0
let ranAt = 0
/** Resolves when all statements so far have ended. The next one is executed only then. */
let running = Promise.resolve()

async function connected(): Promise<pg.Client> {
  if (client) return client
  const fresh = new pg.Client({
    ...{ connectionString: url, application_name: 'atelier', keepAlive: true },
    ...{ connectionTimeoutMillis: 5_000, query_timeout: 7_000 },
  })
  fresh.on('error', () => drop(fresh))
  fresh.on('end', () => drop(fresh))
  await fresh.connect()
  // Without the second, the late heartbeat of a process that is frozen in its midst would keep its run locked for as long.
  await setSettings(fresh, { statement_timeout: 5_000, idle_in_transaction_session_timeout: 5_000 })
  client = fresh
  return fresh
}

function drop(lost: pg.Client): void {
  if (client === lost) client = null
  lost.end().catch(() => undefined)
}

async function run({ sql, parameters }: HeartbeatStatement): Promise<unknown[]> {
  const open = await connected()
  try {
    return (await open.query(sql, [...parameters])).rows
  } catch (error) {
    drop(open) // whatever the error was, the next statement gets a new connection
    throw error
  }
}

/** How long the late heartbeat of a run waits for its row; the heartbeats of the other runs wait for it meanwhile. */
const lateMs = 1000

/** Records a heartbeat and, if a run is late, waits for its row. `told`: is told the rows before that. */
async function beat({ statement, late }: HeartbeatRequest, told: (rows: unknown[]) => void): Promise<void> {
  const rows = statement ? await run(statement) : []
  told(rows)
  if (late && rows.some((row) => Object(row).late === true)) await runLate(late).catch(() => undefined)
}

async function runLate({ sql, parameters }: HeartbeatStatement): Promise<void> {
  const open = await connected()
  try {
    await open.query(`begin; set local lock_timeout = ${lateMs}`)
    await open.query(sql, [...parameters])
  } finally {
    await open.query('commit') // after an error, the same as a rollback
  }
}

function soon(work: () => Promise<void>): void {
  running = running.then(async () => {
    ranAt = performance.now()
    await work()
  })
}

parentPort?.on('message', (next: HeartbeatRequest) => {
  request = next
  heardAt = performance.now()
  soon(async () => {
    const reply = (given: HeartbeatReply): void => parentPort?.postMessage(given, [])
    try {
      await beat(next, (rows) => reply({ id: next.id, rows }))
    } catch (error) {
      const { message, code } = Object(error)
      reply({ id: next.id, error: { message: String(message), code: typeof code === 'string' ? code : null } })
    }
  })
})

setInterval(() => {
  const now = performance.now()
  // If the main thread has sent nothing for `frozenSeconds`, it counts as dead: its statements are not repeated any more, so
  // that other workers get its runs.
  const isSilent = now - ranAt >= seconds * 1000 && now - heardAt < frozenSeconds * 1000
  if (!request || !isSilent) return
  const again = request
  soon(async () => {
    await beat(again, () => undefined).catch(() => undefined)
    for (const statement of again.besides) await run(statement).catch(() => undefined)
  })
}, seconds * 500)
