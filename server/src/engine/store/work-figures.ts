// In charge of how much work waits and who is there to do it, for operators.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { liveSeconds } from './workers.ts'

/** `oldestQueuedSeconds`: how long the first of the queue has waited; 0 where nothing is queued. */
export type WorkFigures = {
  queued: number
  running: number
  oldestQueuedSeconds: number
  /** Queued runs for whose node types there was no worker. */
  stranded: number
  /** Workers that have been seen lately, of all processes. */
  workers: number
}

/** Only what is queued or running is counted, by its index: runs at rest may be many. */
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
