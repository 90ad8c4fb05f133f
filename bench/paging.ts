// In charge of `node bench/paging.ts`: reads every feed in every order, page by page, on both databases. Each task must occur
// exactly once, at the position computed in plain JavaScript; prints how many tasks were read and how long it took.
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensureOwner } from '../server/src/features/people/owner.ts'
import { readConfig } from '../server/src/platform/config.ts'
import { type Database, openDatabase } from '../server/src/platform/db.ts'
import { embeddedEngine } from '../server/src/platform/embedded.ts'
import { createLog } from '../server/src/platform/log.ts'
import { migrate } from '../server/src/platform/migrate.ts'
import { postgresEngine } from '../server/src/platform/postgres.ts'
import { createApp } from '../server/src/wiring/app.ts'
import { startCluster } from '../server/test/support/cluster.ts'
import { everyOrder, feedPath, ordered, pageThrough, readSortables, seedTasks } from '../server/test/support/paging.ts'

const { values } = parseArgs({
  options: { tasks: { type: 'string' }, limit: { type: 'string' }, on: { type: 'string' } },
})
const tasks = Number(values.tasks ?? 100_000)
const limit = Number(values.limit ?? 100)
const log = createLog('error')
const since = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`

if (values.on !== 'embedded') {
  const cluster = await startCluster()
  try {
    await walkAll(openDatabase(postgresEngine(cluster.url, { connections: 4, log })))
  } finally {
    await cluster.remove()
  }
}
if (values.on !== 'postgres') await walkAll(openDatabase(await embeddedEngine(null)))

/** Fills a database, then reads every feed in every order. Throws after the first feed in which a task is not in its position. */
async function walkAll(database: Database): Promise<void> {
  await migrate(database)
  const owner = await ensureOwner(database, null)
  const config = readConfig({ ATELIER_RATE_LIMIT: '0', LOG_LEVEL: 'error' })
  const app = await createApp({ config, database, log, clock: { now: () => Date.now() } })
  const get = async (url: string) => {
    // The embedded database answers within the same turn of the event loop. Without this wait, objects that are released only in a
    // later turn would pile up, and after two million rows the heap would be full.
    await nextTurn()
    const answer = await app.server.inject({ url, headers: { authorization: `Bearer ${owner?.token}` } })
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.payload}`)
    return answer.json()
  }
  const start = performance.now()
  await seedTasks(database, tasks)
  const sortables = await readSortables(database)
  console.log(`${database.kind}: ${sortables.length.toLocaleString('en')} tasks made in ${since(start)}`)

  let seen = 0
  const walking = performance.now()
  for (const { view, sort } of everyOrder([null, 'tech_check'])) {
    const from = performance.now()
    const ids = await pageThrough(async (cursor) => (await get(feedPath(view, { sort, limit, cursor }))).data)
    const expected = ordered(sortables, view, sort)
    const wrong = expected.findIndex((id, at) => ids[at] !== id)
    const what = `${view.status ?? view.feed} by ${sort.field} ${sort.direction}`
    if (wrong >= 0 || ids.length !== expected.length) {
      throw new Error(`${what}: ${ids.length} tasks instead of ${expected.length}; task ${wrong} is not in its place`)
    }
    seen += ids.length
    console.log(`  ${what.padEnd(34)} ${String(ids.length).padStart(7)} tasks, each once, in order: ${since(from)}`)
  }
  console.log(
    `${database.kind}: ${seen.toLocaleString('en')} tasks in all orders, ${limit} at a time: ${since(walking)}`,
  )
  await app.stop()
}
