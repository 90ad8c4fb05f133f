// In charge of the SQL for the versions of a creative's file. Callers that write have locked the task and then the creative. When a
// file is replaced, a trigger in the database adds a version (migration 0019), because older releases do not add any.
import { sql } from 'kysely'
import { type Actor, authorOf } from '../../../platform/actor.ts'
import { type Db, tellChanged } from '../../../platform/db.ts'

/** Lists the versions of a creative's file, newest first. */
export async function listVersions(
  db: Db,
  creativeId: string,
  below: number | null,
  take: number,
): Promise<{ number: number; text: string }[]> {
  const found = await sql<{ number: number; text: string }>`
    select v.number, json_build_object('creative_id', c.id, 'number', v.number, 'file', v.file,
      'media_type', f.media_type, 'size', f.size, 'current', v.file is not distinct from c.file,
      'by', case when coalesce(v.by_user, v.by_token) is not null
        then json_build_object('user_id', v.by_user, 'token_id', v.by_token, 'name', coalesce(u.name, k.name)) end,
      'at', iso(v.at),
      'made_by', case when made.by ->> 'run_id' is not null then json_build_object('run_id', made.by -> 'run_id',
        'node_id', made.by -> 'node_id', 'item', made.by -> 'item') end)::text as text
    from creatives c
    join versions_of_creatives v on v.creative_id = c.id
    join files f on f.digest = v.file
    left join users u on u.id = v.by_user
    left join tokens k on k.id = v.by_token
    cross join lateral (select coalesce(v.provenance::jsonb,
      case when c.provenance ->> 'file' = v.file then c.provenance::jsonb end) as by) as made
    where c.id = ${creativeId} ${below === null ? sql`` : sql`and v.number < ${below}`}
    order by v.number desc limit ${take}`.execute(db)
  return found.rows
}

/**
 * Records who put the current file on a creative, if this transaction has added a version for it. An existing version keeps its
 * author. For a file that a creative is created with, `keepFirstVersion` records the author instead.
 */
export async function signVersion(tx: Db, creativeId: string, actor: Actor): Promise<void> {
  const { by_user, by_token } = authorOf(actor)
  await sql`
    update creative_versions v set by_user = ${by_user}, by_token = ${by_token}
    from creatives c
    where c.id = ${creativeId} and v.creative_id = c.id and v.file = c.file
      and v.at >= date_trunc('milliseconds', now())`.execute(tx)
  tellChanged(tx, 'creative', creativeId)
}
