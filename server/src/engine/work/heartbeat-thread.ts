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
  await setSettings(fresh, { statement_timeout: 5_000 })
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
      reply({ id: next.id, rows: next.statement ? await run(next.statement) : [] })
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
    for (const statement of [...(again.statement ? [again.statement] : []), ...again.besides]) {
      await run(statement).catch(() => undefined)
    }
  })
}, seconds * 500)
