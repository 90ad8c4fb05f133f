// In charge of counting, for operators, how much work is waiting and how many workers there are.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { liveSeconds } from './workers.ts'

/** `oldestQueuedSeconds`: how many seconds ago the first of the queued runs was queued; 0 if no run is queued. */
export type WorkFigures = {
  queued: number
  running: number
  oldestQueuedSeconds: number
  /** Queued runs that are set aside, because the worker that received their wake-up lacked a node type. */
  stranded: number
  /** Workers that are alive, in all processes. */
  workers: number
}

/** Reads the figures. Of the runs, it reads only queued and running ones, by an index: there may be very many finished runs. */
export async function readWorkFigures(db: Db): Promise<WorkFigures> {
  const { rows } = await sql<WorkFigures>`
    select count(*) filter (where status = 'queued')::int as queued,
      count(*) filter (where status = 'running')::int as running,
      coalesce(extract(epoch from now() - min(queued_at) filter (where status = 'queued')), 0)::float8
        as "oldestQueuedSeconds",
      (select count(*) from stranded_runs)::int as stranded,
      (select count(*) from workers where seen_at > now() - make_interval(secs => ${liveSeconds}))::int as workers
    from runs where status in ('queued', 'running')`.execute(db)
  const [figures] = rows
  if (!figures) throw new Error('A count came without a row.')
  return figures
}
