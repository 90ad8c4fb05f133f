// In charge of the metrics that are read from the database: waiting work, workers, the schema version, and stored files.
import { readWorkFigures } from '../engine/store/work-figures.ts'
import { channelsOf } from '../features/notices/deliver.ts'
import { oldestWaiting } from '../features/notices/outbox.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import type { Measure } from '../platform/metrics.ts'

/** For how many ms figures are cached, so that not every request for the metrics causes queries. */
const freshMs = 5_000
/**
 * For how many ms figures about files and the schema are cached: longer, since counting the files reads all rows of their table.
 */
const filesFreshMs = 60_000

export function measuring(database: Database, { smtp }: Pick<Config, 'smtp'>) {
  const work = remembered(freshMs, () => readWorkFigures(database.main))
  const files = remembered(filesFreshMs, () =>
    database.script('select count(*)::int as count, coalesce(sum(size), 0)::float8 as bytes from files'),
  )
  const waiting = remembered(freshMs, () => oldestWaiting(database.main, channelsOf(smtp)))
  const schema = remembered(filesFreshMs, () =>
    database.script('select max(number)::int as number from schema_migrations'),
  )
  return {
    database: database.kind,
    connections: database.connections,
    measures: async (): Promise<Measure[]> => {
      const { queued, running, oldestQueuedSeconds, stranded, workers } = await work()
      const [[stored], [migration]] = await Promise.all([files(), schema()])
      return [
        { name: 'runs', help: 'Runs that are not at rest.', figures: { queued, running } },
        {
          name: 'runs_oldest_queued_seconds',
          help: 'How long the first run of the queue has waited.',
          figures: oldestQueuedSeconds,
        },
        { name: 'runs_stranded', help: 'Queued runs for whose node types there is no worker.', figures: stranded },
        { name: 'workers', help: 'Workers alive, of all processes.', figures: workers },
        {
          name: 'messages_oldest_waiting_seconds',
          help: 'How long the first notice or message that is due outside the app has waited.',
          figures: await waiting(),
        },
        { name: 'files', help: 'Stored files.', figures: Number(stored?.count) },
        { name: 'files_bytes', help: 'Bytes of all stored files.', figures: Number(stored?.bytes) },
        { name: 'schema_migration', help: 'The newest migration of the schema.', figures: Number(migration?.number) },
      ]
    },
  }
}

/** Caches the result of `read` for `ms`. Concurrent callers share one call of `read`, and a failed call is not cached. */
function remembered<T>(ms: number, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | null = null
  return () => {
    if (last && performance.now() < last.at + ms) return last.value
    const value = read()
    const mine = { at: performance.now(), value }
    last = mine
    value.catch(() => {
      if (last === mine) last = null
    })
    return value
  }
}
