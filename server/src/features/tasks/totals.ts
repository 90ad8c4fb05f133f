// In charge of totals: exact from counters where nothing is filtered, counted within a bound of time where something is.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { type Database, type Db, sqlState } from '../../platform/db.ts'
import { type FeedRequest, selection } from './feed.ts'

/** A filtered count that takes longer is not told. */
const boundMs = 250

/** How many tasks a request selects, or null where counting them takes too long. */
export async function readTotal(database: Database, request: FeedRequest): Promise<number | null> {
  if (!request.filter && (request.search === null || request.search === '')) return unfiltered(database, request)
  const selected = selection(request)
  if (selected === 'nothing') return 0
  return database.kind === 'postgres'
    ? countOnServer(database, selected.where, selected.values)
    : countInSlices(database, selected.where, selected.values)
}

/** The counters' sum. Deleted tasks past the window that no purge has met yet are taken off: few, and indexed. */
async function unfiltered(database: Database, { feed, status, retentionSeconds }: FeedRequest): Promise<number> {
  const [row] =
    feed === 'deleted'
      ? await database.read(
          {
            name: 'total_deleted',
            text: `select coalesce((select sum(delta) from task_counts where deleted), 0) - (
              select count(*) from tasks
              where deleted_at is not null and deleted_at <= now() - make_interval(secs => $1::double precision)
            )`,
          },
          [retentionSeconds],
        )
      : await database.read(
          {
            name: 'total_board',
            text: `select coalesce(sum(delta), 0) from task_counts
              where not deleted and ($1::task_status is null or status = $1::task_status)`,
          },
          [status],
        )
  return Number(row?.[0] ?? 0)
}

async function countOnServer(database: Database, where: string, values: unknown[]): Promise<number | null> {
  try {
    const [row] = await database.read(
      { name: null, text: `select count(*) from tasks t where ${where}` },
      values,
      boundMs,
    )
    return Number(row?.[0])
  } catch (error) {
    if (sqlState(error) === '57014') return null // the bound: a total is not worth more
    throw error
  }
}

const sliceRows = 10_000

/** The embedded database cannot end a statement by itself, so it counts in slices of ids and looks at the clock between. */
async function countInSlices(database: Database, where: string, values: unknown[]): Promise<number | null> {
  const end = performance.now() + boundMs
  const at = values.length
  let total = 0
  let after: unknown = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const [row] = await database.read(
      {
        name: null,
        text: `
          with slice as materialized (
            select t.id, (${where}) as hit from tasks t where t.id > $${at + 1}::uuid order by t.id limit $${at + 2}
          )
          select count(*) filter (where hit), count(*), (select id from slice order by id desc limit 1) from slice`,
      },
      [...values, after, sliceRows],
    )
    total += Number(row?.[0])
    if (Number(row?.[1]) < sliceRows) return total
    if (performance.now() > end) return null
    after = row?.[2]
  }
}

/** Live tasks of each column. */
export async function columnTotals(db: Db): Promise<Record<TaskStatus, number>> {
  const rows = await db
    .selectFrom('task_counts')
    .select((query) => ['status', query.fn.sum<number>('delta').as('total')])
    .where('deleted', '=', false)
    .groupBy('status')
    .execute()
  const totals = new Map(rows.map(({ status, total }) => [status, total]))
  const entries = taskStatuses.map((status) => [status, totals.get(status) ?? 0] as const)
  return Object.fromEntries(entries) as Record<TaskStatus, number> // one entry for each status
}
