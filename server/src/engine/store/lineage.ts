// In charge of the SQL that finds the runs from which a run was forked.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { RunRow } from './runs.ts'

export type Ancestor = Pick<RunRow, 'id' | 'copied_from' | 'forked_signature' | 'for_variant' | 'created_at'>

/**
 * The run itself, the run from which it was forked, and so on: the newest first. The last one is the run that was made of the
 * graph, unless that run was purged: then its `copied_from` names a run that is gone.
 */
export async function readLineage(db: Db, runId: string): Promise<Ancestor[]> {
  const { rows } = await sql<Ancestor>`
    with recursive lineage as (
      select id, copied_from, forked_signature, for_variant, created_at, 0 as steps from runs where id = ${runId}
      union all
      select r.id, r.copied_from, r.forked_signature, r.for_variant, r.created_at, l.steps + 1
      from lineage l join runs r on r.id = l.copied_from)
    select id, copied_from, forked_signature, for_variant, created_at from lineage order by steps`.execute(db)
  return rows
}
