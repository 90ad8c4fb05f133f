// In charge of `npm run fuzz -- [--seed 1] [--requests 20000] [--clients 4] [--database postgres|embedded]`: executes a long
// version of the test that sends hostile requests to every route; without `--database`, on both databases. Exits with 1 if anything
// is wrong.
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '../server/src/platform/db.ts'
import { embeddedEngine } from '../server/src/platform/embedded.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import type { FuzzReport } from '../server/test/support/fuzzing/fuzz-run.ts'
import { fuzzService } from '../server/test/support/fuzzing/stage.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    clients: { type: 'string' },
    database: { type: 'string' },
  },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const requests = Number(values.requests ?? 20_000)
const clients = Number(values.clients ?? 4)
const databases = values.database === undefined ? ['embedded', 'postgres'] : [values.database]

for (const name of databases) {
  console.log(`Fuzz on ${name}: seed ${seed}, ${requests} requests, ${clients} clients`)
  tell(name === 'postgres' ? await onPostgres() : await on(openDatabase(await embeddedEngine(null)), null))
}

async function onPostgres(): Promise<FuzzReport> {
  const cluster = await startCluster()
  try {
    return await on(
      openDatabase(postgresEngine(cluster.url, { connections: 10, log: createLog('silent') })),
      cluster.url,
    )
  } finally {
    await cluster.remove()
  }
}

/** Fuzzes a service on this database; the service closes the database when it ends. */
async function on(database: Database, url: string | null): Promise<FuzzReport> {
  await migrate(database)
  return fuzzService({ database, url, requests, seed, clients })
}

function tell({ sent, statuses, succeeded, violations, slowest, grownMb }: FuzzReport): void {
  const never = [...succeeded].flatMap(([id, times]) => (times === 0 ? [id] : []))
  const counts = Object.entries(statuses).map(([status, times]) => `${status} × ${times}`)
  console.log(`  ${sent} sent: ${counts.join(' · ')}`)
  console.log(`  slowest ${Math.round(slowest.ms)} ms: ${slowest.what}`)
  console.log(`  heap after a collection: ${grownMb.toFixed(0)} MB more than before`)
  console.log(`  never succeeded: ${never.join(', ') || 'none'}`)
  console.log(`${violations.length} violations`)
  for (const line of violations.slice(0, 40)) console.log(`  ! ${line}`)
  if (violations.length > 0) process.exitCode = 1
}
