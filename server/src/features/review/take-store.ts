// In charge of the SQL for the takes of reviews: finding, adding and ending them, and adding the versions that they made. Callers
// that write have locked the run (if there is one), then the task, then the creative.
import type { RunStatus } from '@atelier/contract/enums.ts'
import type { TakeState } from '@atelier/contract/review-rules.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { ReviewTakesTable, Stamp } from '../../platform/tables.ts'

export type TakeRow = Selectable<ReviewTakesTable>

/**
 * The place in a run at which a version's file was made. `item` is null if the output has neither items nor a list of files. `index`
 * is the file's position in the list of its item; null if the item has a single file, or if the position is not known.
 */
export type Origin = { run_id: string; node_id: string; port: string; item: number | null; index: number | null }

/**
 * SQL for the origin of a version of the creative `c`. A provenance from before `index` was noted does not have it, but the export
 * that made the creative has: the `item` of an export ends in `#` and the index of the file, after the name of the item.
 */
const originOf = (version: RawBuilder<unknown>) => sql`
  select made.by ->> 'run_id' as run_id, made.by ->> 'node_id' as node_id, made.by ->> 'port' as port,
    (made.by ->> 'item')::integer as item,
    coalesce((made.by ->> 'index')::integer, (
      select substring(e.item from '.#([0-9]+)$')::integer from exports e
      where e.creative_id = c.id and e.run_id::text = made.by ->> 'run_id' and e.node_id = made.by ->> 'node_id'
        and e.port = made.by ->> 'port')) as index
  from versions_of_creatives v
  cross join lateral (select coalesce(v.provenance,
    case when coalesce(c.provenance ->> 'file', c.file) = v.file then c.provenance end) as by) as made
  where v.creative_id = c.id and v.number = ${version} and made.by ->> 'run_id' is not null`

/** Returns the place in a run at which a version's file was made; null if no run made the file, or if its run is not recorded. */
export async function readOrigin(db: Db, creativeId: string, version: number): Promise<Origin | null> {
  const found = await sql<Origin>`
    select o.* from creatives c cross join lateral (${originOf(sql`${version}`)}) o
    where c.id = ${creativeId}`.execute(db)
  return found.rows[0] ?? null
}

export async function isGraphDeleted(db: Db, graphId: string): Promise<boolean> {
  const graph = await db.selectFrom('graphs').select('deleted_at').where('id', '=', graphId).executeTakeFirst()
  return graph === undefined || graph.deleted_at !== null
}

/** Returns the comment's take that is under way or waits, as a proposal, for a decision; undefined if there is no such take. */
export async function findOpenTake(db: Db, commentId: string): Promise<TakeRow | undefined> {
  return db
    .selectFrom('review_takes')
    .selectAll()
    .where('comment_id', '=', commentId)
    .where('state', 'in', ['under_way', 'proposed'])
    .executeTakeFirst()
}

export async function findTake(db: Db, id: string): Promise<TakeRow | undefined> {
  return db.selectFrom('review_takes').selectAll().where('id', '=', id).executeTakeFirst()
}

type NewTake = Omit<Origin, 'index'> &
  Pick<TakeRow, 'id' | 'comment_id' | 'creative_id' | 'by_user' | 'by_token' | 'at'>

export async function insertTake(tx: Db, take: NewTake): Promise<void> {
  await tx
    .insertInto('review_takes')
    .values({ ...take, state: 'under_way', version: null, error: null, ended_at: null })
    .execute()
  tellChanged(tx, 'creative', take.creative_id)
}

type TakeEnd = { state: TakeState } & Partial<Pick<TakeRow, 'version' | 'error' | 'ended_at'>>

export async function setTake(tx: Db, { id, creative_id }: TakeRow, end: TakeEnd): Promise<void> {
  await tx.updateTable('review_takes').set(end).where('id', '=', id).execute()
  tellChanged(tx, 'creative', creative_id)
}

/** A take to be ended, because its run has ended or was deleted. `status` is the run's status; null if the run no longer exists. */
export type DueTake = Pick<TakeRow, 'id' | 'creative_id' | 'run_id' | 'node_id' | 'port' | 'item'> & {
  at: Stamp
  task_id: string
  index: Origin['index']
  status: RunStatus | null
}

/**
 * Returns takes that still count as under way although their runs have ended, were changed back to drafts, or were deleted or
 * purged. The oldest take comes first. `index` is that of the version commented on, since a take makes the file of that version
 * again. `after`: returns only takes that come after this one; undefined: begins with the oldest.
 */
export async function readDueTakes(db: Db, most: number, after: DueTake | undefined): Promise<DueTake[]> {
  const found = await sql<DueTake>`
    select t.id, t.at, t.creative_id, t.run_id, t.node_id, t.port, t.item, o.index, c.task_id, r.status
    from review_takes t
    join creatives c on c.id = t.creative_id
    join review_comments m on m.id = t.comment_id
    left join lateral (${originOf(sql`m.version`)}) o on true
    left join runs r on r.id = t.run_id
    where t.state = 'under_way'
      and (r.id is null or r.deleted_at is not null or r.status not in ('queued', 'running', 'awaiting_input'))
      ${after ? sql`and (t.at, t.id) > (${after.at}::timestamptz, ${after.id}::uuid)` : sql``}
    order by t.at, t.id limit ${most}`.execute(db)
  return found.rows
}

export async function versionOfFile(db: Db, creativeId: string, file: string): Promise<number | undefined> {
  const found = await sql<{ number: number }>`
    select number from versions_of_creatives where creative_id = ${creativeId} and file = ${file}`.execute(db)
  return found.rows[0]?.number
}

type NewVersion = { creative_id: string; file: string; provenance: object } & Pick<TakeRow, 'by_user' | 'by_token'>

/**
 * Adds a version without making it the current one, and returns its number. The first version already has a row in
 * `creative_versions`: a take belongs to a comment, and adding a comment stores that row.
 */
export async function addVersion(tx: Db, { creative_id, file, provenance, ...by }: NewVersion): Promise<number> {
  const found = await sql<{ number: number }>`
    insert into creative_versions (creative_id, number, file, provenance, by_user, by_token)
    select ${creative_id}, max(number) + 1, ${file}, ${JSON.stringify(provenance)}::json, ${by.by_user}::uuid, ${by.by_token}::uuid
    from creative_versions where creative_id = ${creative_id}
    returning number`.execute(tx)
  await sql`
    insert into file_uses (digest, used_by, user_key) values (${file}, 'creative', ${creative_id})
    on conflict do nothing`.execute(tx)
  tellChanged(tx, 'creative', creative_id)
  const number = found.rows[0]?.number
  if (number === undefined) throw new Error(`The creative ${creative_id} has no version before this one.`)
  return number
}
