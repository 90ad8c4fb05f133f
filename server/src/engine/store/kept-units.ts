// In charge of the SQL for the copies of a run's units that belong to its checkpoints. The rows are copied inside the
// database, so that outputs of any size need no memory in this process.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'
import type { UnitState } from '../model/units.ts'
import { ofRow, overStatuses, type SaveMark, type UnitRow } from './unit-store.ts'

/** How many units of a run were saved since its count of saves was `after`. */
export async function countUnits(db: Db, runId: string, after: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from run_states where run_id = ${runId} and change > ${after}`.execute(db)
  return rows[0]?.count ?? 0
}

const ownColumns = sql`node_id, item, position, item_count, status, progress, request, error, message, credits,
  duration_seconds, checkpoint, cache_key, attempts, generation, stale`

/** Copies those units of a run that were saved since its count of saves was `after` into the checkpoint with this `at`. */
export async function keepUnits(tx: Db, runId: string, at: Stamp, after: number): Promise<void> {
  await sql`
    insert into checkpoint_units (subject_id, at, ${ownColumns}, started_at, finished_at, outputs, shown, shown_bytes)
    select run_id, ${at}::timestamptz, ${ownColumns}, started_at, finished_at, outputs, shown,
      coalesce(shown_bytes, octet_length(outputs::text), 0)
    from run_states where run_id = ${runId} and change > ${after}`.execute(tx)
}

/**
 * A checkpoint of a run. `at`: when it was written; `fullAt`: the `at` of the full checkpoint that it is based on, null if it
 * is full itself; `generation`: that of the run when the checkpoint was written.
 */
export type KeptAt = { runId: string; at: Stamp; fullAt: Stamp | null; generation: number }

/**
 * The newest copy of each unit. The copies come from a checkpoint, from the full checkpoint that it is based on, and from the
 * incremental ones between the two. Layout checkpoints in between are skipped, since nothing is based on them.
 */
const keptUnits = ({ runId, at, fullAt }: KeptAt) => sql`
  select distinct on (node_id, item) * from checkpoint_units
  where subject_id = ${runId} and at between ${fullAt ?? at}::timestamptz and ${at}::timestamptz
    and (at = ${at}::timestamptz or at in (
      select c.at from checkpoints c where c.subject_id = ${runId} and c.kind <> 'layout'))
  order by node_id, item, checkpoint_units.at desc`

/**
 * The units of a checkpoint, with outputs as responses show them. Results of earlier generations still have their own status;
 * the caller marks them as cached. If the outputs exceed `limit` bytes in total, they are left out and `isWhole` is false.
 */
export async function readKeptUnits(
  db: Db,
  kept: KeptAt,
  limit: number,
): Promise<{ units: UnitState[]; bytes: number; isWhole: boolean }> {
  const { rows: sums } = await sql<{ bytes: number }>`
    select coalesce(sum(shown_bytes), 0)::float8 as bytes from (${keptUnits(kept)}) as kept`.execute(db)
  const bytes = sums[0]?.bytes ?? 0
  const isWhole = bytes <= limit
  const { rows } = await sql<UnitRow>`
    select ${ownColumns}, ${isWhole ? sql`coalesce(shown, outputs)` : sql`null::json`} as outputs
    from (${keptUnits(kept)}) as kept order by node_id, position`.execute(db)
  return { units: rows.map(ofRow), bytes, isWhole }
}

/**
 * Writes the units of a checkpoint back to the run, with the status that they had in the generation of the checkpoint: results
 * of earlier generations become cached or, if their node was stale, pending. The caller has deleted the run's present units.
 *
 * The times of the units are restored too. A result of an earlier generation gets no start time, because it is shown without
 * one, but keeps its end time, which is when its take was made. A row of a unit that has begun has neither time if an older
 * version of Atelier wrote it: its times are then made up as if the unit had ended now.
 */
export async function restoreUnits(tx: Db, kept: KeptAt, { change, generation }: SaveMark): Promise<void> {
  const { rows } = await sql<{ node_id: string }>`
    select node_id from (${keptUnits(kept)}) as kept where stale`.execute(tx)
  const stale = rows.map(({ node_id }) => node_id)
  await sql`
    insert into run_states (run_id, node_id, item, position, item_count, status, progress, outputs, request, error, message,
      credits, duration_seconds, checkpoint, cache_key, attempts, generation, stale, started_at, finished_at, change)
    select ${kept.runId}, node_id, item, position, item_count, status,
      case when fresh then 0 else progress end, case when not fresh then outputs end, case when not fresh then request end,
      case when not fresh then error end, case when not fresh then message end,
      case when earlier then 0 else credits end, case when earlier then 0 else duration_seconds end,
      case when not fresh then checkpoint end, case when not fresh then cache_key end,
      case when fresh then 0 else attempts end, ${generation}, false,
      case when not earlier and status <> 'pending' then coalesce(started_at,
        case when finished_at is null then now_ms() - make_interval(secs => duration_seconds) end) end,
      case when status = any(${overStatuses}::text[]) then coalesce(finished_at, now_ms()) end, ${change}
    from (
      select node_id, item, position, item_count, progress, outputs, request, error, message, credits, duration_seconds,
        checkpoint, cache_key, attempts, started_at, finished_at, held.earlier, held.earlier and held.waits as fresh,
        case when not held.earlier then status when held.waits then 'pending' else 'cached' end as status
      from (${keptUnits(kept)}) as kept,
      lateral (select generation <> ${kept.generation} and status in ('succeeded', 'cached') as earlier,
        node_id = any(${stale}::text[]) as waits) as held
    ) as then_`.execute(tx)
}
