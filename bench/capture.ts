// In charge of finding out which statements the service sends to the database for a page: runs the service in this process and
// records its reads.

import { readConfig } from '../server/src/platform/config.ts'
import { type Database, openDatabase, type Statement } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { createApp } from '../server/src/wiring/app.ts'

/**
 * A read as the service sent it. `timeoutMs`: the time limit; null if the service sets none. `after`: the index of the last read of
 * the same request that had finished when this read was sent; null if none had finished.
 */
export type Read = Statement & { values: readonly unknown[]; timeoutMs: number | null; after: number | null }

/**
 * `readsOf` makes a GET request to `path` (a POST request if a body is given) and returns the reads that the service sends for it.
 */
export type Capture = { readsOf(path: string, body?: string): Promise<Read[]>; close(): Promise<void> }

export async function startCapture(databaseUrl: string): Promise<Capture> {
  const token = 'overheard'
  const log = createLog('silent')
  const real = openDatabase(postgresEngine(databaseUrl, { connections: 4, log }))
  let heard: Read[] = []
  let answered: number | null = null
  const database: Database = {
    ...real,
    async read(statement, values, timeoutMs) {
      const place = heard.push({ ...statement, values, timeoutMs: timeoutMs ?? null, after: answered }) - 1
      try {
        return await real.read(statement, values, timeoutMs)
      } finally {
        answered = place
      }
    },
  }
  const config = readConfig({ ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'silent' })
  const clock = { now: () => Date.now() }
  const app = await createApp({ config, database, log, clock, operatorToken: token })
  return {
    async readsOf(path, body) {
      heard = []
      answered = null
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const post = body === undefined ? {} : { method: 'POST' as const, payload: body }
      const answer = await app.server.inject({ url: path, headers, ...post })
      if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode}: ${answer.payload}`)
      if (heard.length === 0) throw new Error(`${path} was answered without Database.read: capture.ts must follow.`)
      return heard
    },
    close: () => app.stop(),
  }
}
