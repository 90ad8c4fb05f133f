// In charge of the long form of the storm test (server/test/support/storm.ts): it sends requests over HTTP to two instances of the
// service on one durable PostgreSQL. `node bench/storm.ts [--seconds 120] [--seed N] [--clients 32]`; exits with 1 if anything is
// wrong.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { adoptWaitingLaunches } from '../server/src/features/tasks/launches/adopt.ts'
import { foldCounts, purge } from '../server/src/features/tasks/purge.ts'
import { systemClock } from '../server/src/platform/clock.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { openDatabase } from '../server/src/platform/db.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { createApp } from '../server/src/wiring/app.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { type Ask, answerOf, reviewedIn, runStorm, type StormReport } from '../server/test/support/storm.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string' }, seed: { type: 'string' }, clients: { type: 'string' } },
})
const seconds = Number(values.seconds ?? 120)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const clients = Number(values.clients ?? 32)
const retentionSeconds = 4

const cluster = await startCluster({ durable: true })
try {
  const log = createLog('warn')
  const config = readConfig({ ATELIER_RATE_LIMIT: '0', ATELIER_RETENTION: `PT${retentionSeconds}S`, PORT: '0' })
  const databases = [1, 2].map(() => openDatabase(postgresEngine(cluster.url, { connections: 10, log })))
  for (const database of databases) await migrate(database)
  const token = (await ensureOwner(databases[0] ?? fail(), null))?.token ?? fail()
  const apps = await Promise.all(databases.map((database) => createApp({ config, database, log, clock: systemClock })))
  const addresses = await Promise.all(apps.map(({ server }) => server.listen({ host: '127.0.0.1', port: 0 })))
  const watcher = new pg.Client(cluster.url)
  await watcher.connect()

  console.log(`${seconds} s, seed ${seed}, ${clients} clients, ${apps.length} processes`)
  const report = await runStorm({
    asks: addresses.map((address) => askOver(address, token)),
    rows: async (text) => (await watcher.query(text)).rows,
    jobs: databases.flatMap((database) => [
      () => purge(database),
      () => foldCounts(database.main),
      () => adoptWaitingLaunches(database),
    ]),
    seconds,
    seed,
    clients,
    tasks: 12,
    names: 40,
    ...(await reviewedIn(apps[0]?.services ?? fail())),
  })
  for (const app of apps) await app.stop()
  const { rows } = await watcher.query('select deadlocks from pg_stat_database where datname = current_database()')
  await watcher.end()
  print(report, Number(rows[0].deadlocks))
  if (report.violations.length + report.unexpected.length > 0) process.exitCode = 1
} finally {
  await cluster.remove()
}

function askOver(address: string, token: string): Ask {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(address + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return answerOf(answer.status, await answer.text())
  }
}

function print({ answers, events, requests, unexpected, violations, checks }: StormReport, deadlocks: number): void {
  for (const [operation, tally] of Object.entries(answers).toSorted()) {
    const told = Object.entries(tally).map(([answer, times]) => `${answer} × ${times}`)
    console.log(`  ${operation.padEnd(22)} ${told.toSorted().join(' · ')}`)
  }
  const seen = Object.entries(events).map(([what, times]) => `${what} × ${times}`)
  console.log(`  what the log saw       ${seen.toSorted().join(' · ')}`)
  console.log(`${requests} requests (${Math.round(requests / seconds)}/s), ${checks} snapshots checked`)
  console.log(`${violations.length} violations, ${unexpected.length} unexpected answers, ${deadlocks} deadlocks`)
  for (const line of [...violations, ...unexpected].slice(0, 20)) console.log(`  ! ${line}`)
}

function fail(): never {
  throw new Error('A fresh database has no owner yet.')
}
