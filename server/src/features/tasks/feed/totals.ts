// In charge of the total of a feed. Without filter and search, the total is exact and comes from counters; otherwise tasks are
// counted, within a time limit.
import { type TaskStatus, taskStatuses } from '@atelier/contract/enums.ts'
import { type Database, type Db, sqlState } from '../../../platform/db.ts'
import { type FeedRequest, selection } from './feed.ts'
import { byOneProcess } from './search.ts'

/** Returns how many tasks a request selects; null if counting them would take too long. */
export async function readTotal(database: Database, request: FeedRequest): Promise<number | null> {
  if (!request.filter && (request.search === null || request.search === '')) return unfiltered(database, request)
  const selected = selection(request)
  return selected === 'nothing' ? 0 : countWithin(database, selected.where, selected.values)
}

/**
 * Returns the sum of the counters. Deleted tasks that are past the retention window but not purged yet are subtracted; there are
 * few of these tasks, and an index finds them. The subquery hides the number of seconds; otherwise PostgreSQL would plan the
 * statement anew each time (0.3 ms). Without the number, it expects a third of all deleted tasks to match, and would start other
 * processes to count them (13 ms for each request, with 200,000 deleted tasks); `byOneProcess` prevents that.
 */
async function unfiltered(database: Database, { feed, status, retentionSeconds }: FeedRequest): Promise<number> {
  const [row] =
    feed === 'deleted'
      ? await database.read(
          {
            name: 'total_deleted',
            text: `select coalesce((select sum(delta) from task_counts where deleted), 0) - (
              select count(*) from tasks
              where deleted_at is not null and deleted_at <= now() - make_interval(secs => (select $1::double precision))
                and ${byOneProcess}
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

/** The time limit of a count. A response has no total if counting takes longer. */
const boundMs = 250
/**
 * The embedded database cannot cancel a count; so a count is not started if the planner estimates a higher cost than this (in the
 * planner's units). On that database, a count with a cost of 12,000 takes 100 ms.
 */
const boundCost = 25_000

/** Counts the tasks (alias `t`) that satisfy a condition; null if counting them takes longer than the time limit. */
export async function countWithin(database: Database, where: string, values: unknown[]): Promise<number | null> {
  const text = `select count(*) from tasks t where ${where}`
  if (database.kind === 'embedded' && (await costOf(database, text, values)) > boundCost) return null
  try {
    const [row] = await database.read({ name: null, text }, values, boundMs)
    return Number(row?.[0])
  } catch (error) {
    if (sqlState(error) === '57014') return null // the time limit was exceeded
    throw error
  }
}

async function costOf(database: Database, text: string, values: unknown[]): Promise<number> {
  const [row] = await database.read({ name: null, text: `explain ${text}` }, values)
  return Number(/\.\.(\d+\.\d+) /.exec(String(row?.[0]))?.[1])
}

/** Returns the number of tasks in each column of the board, which is a status. Deleted tasks are left out. */
export async function columnTotals(db: Db): Promise<Record<TaskStatus, number>> {
  const rows = await db
    .selectFrom('task_counts')
    .select((query) => ['status', query.fn.sum<number>('delta').as('total')])
    .where('deleted', '=', false)
    .groupBy('status')
    .execute()
  const totals = new Map(rows.map(({ status, total }) => [status, total]))
  const entries = taskStatuses.map((status) => [status, totals.get(status) ?? 0] as const)
  return Object.fromEntries(entries) as Record<TaskStatus, number> // there is one entry for each status
}
