// In charge of the SQL for creatives, and of that part of the SQL for their versions which other features use; the rest is in
// versions.ts. Callers that write have locked the task.
import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import type { Selectable } from 'kysely'
import { type Kysely, sql } from 'kysely'
import { type Actor, authorOf } from '../../../platform/actor.ts'
import { type Db, kept, tellChanged } from '../../../platform/db.ts'
import { bytesOfRead, type LargeRow } from '../../../platform/http/large-list.ts'
import { inRetention } from '../../../platform/retention.ts'
import { keysOf } from '../../../platform/rows.ts'
import type { CreativesTable, Stamp, Tables } from '../../../platform/tables.ts'

export type CreativeRow = Selectable<CreativesTable>

/** The SQL columns of a `Creative` of the contract. Alias `c` is the creative. */
const columns = `c.id, c.task_id, c.name, c.variation_num, c.file, c.completed, c.done, c.assignee_id, c.task_owner_id,
  iso(c.in_work_at) as in_work_at, c.ad_id, iso(c.launched_at) as launched_at, c.test_status, c.locale, c.geo,
  c.subject, c.topic, c.subtopics, c.primary_anchor, c.audience, c.awareness_stage, c.messaging_angle, c.hook_trigger,
  c.hook_type, c.ad_format, c.tags, c.traffic_flow, c.landing, c.funnel, c.cpp,
  iso(c.created_at) as created_at, iso(c.updated_at) as updated_at, iso(c.deleted_at) as deleted_at`

export type CreativeText = { id: string; revision: number; name: string; text: string }

/** SQL that builds a creative as JSON text. */
const creativeTexts = sql<string>`(select row_to_json(record)::text from (select ${sql.raw(columns)}) as record)`

/** Returns a creative if neither the creative nor its task was deleted longer ago than the retention window. */
export async function readCreative(db: Db, id: string): Promise<CreativeText | undefined> {
  const found = await sql<CreativeText>`${sql.raw(kept('creative_in_retention'))}
    select c.id, c.revision, c.name, ${creativeTexts} as text from creatives c join tasks t on t.id = c.task_id
    where c.id = ${id} and ${inRetention(db, 'c')} and ${inRetention(db, 't')}`.execute(db)
  return found.rows[0]
}

/** Returns a creative that this transaction has just written. Unlike `readCreative`, this function ignores the retention window. */
export async function readWritten(tx: Db, id: string): Promise<CreativeText | undefined> {
  const found = await sql<CreativeText>`${sql.raw(kept('creative_record'))}
    select c.id, c.revision, c.name, ${creativeTexts} as text from creatives c where c.id = ${id}`.execute(tx)
  return found.rows[0]
}

/** Returns the id of a creative's task, without a lock. Callers need the id to lock the task before they lock the creative. */
export async function taskOf(db: Db, creativeId: string): Promise<string | undefined> {
  const row = await db.selectFrom('creatives').select('task_id').where('id', '=', creativeId).executeTakeFirst()
  return row?.task_id
}

export async function lockCreative(tx: Db, id: string): Promise<CreativeRow | undefined> {
  return tx.selectFrom('creatives').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export type ListedCreative = LargeRow & { name: string }

/**
 * Lists a task's creatives by name, a page at a time: those that are not deleted or, for a deleted task, those that would be
 * restored together with it. A creative may have a megabyte, so the size is taken from the stored lookup text, which contains
 * everything that can be long: its size is known without reading it.
 */
export async function listCreatives(
  db: Db,
  taskId: string,
  after: { name: string; id: string } | null,
  limit: number,
): Promise<ListedCreative[]> {
  const found = await sql<ListedCreative>`${sql.raw(kept(after ? 'creatives_of_task_after' : 'creatives_of_task'))}
    select c.id, c.name, page.bytes,
      case when sum(page.bytes) over (order by c.name collate "C", c.id rows unbounded preceding) <= ${bytesOfRead}::integer
        then ${creativeTexts} end as text
    from (
      select c.id, coalesce(octet_length(c.lookup_text), octet_length(${creativeTexts})) as bytes
      from creatives c join tasks t on t.id = c.task_id
      where t.id = ${taskId} and c.delete_id is not distinct from t.delete_id
        ${after ? sql`and (c.name collate "C", c.id) > (${after.name}::text collate "C", ${after.id}::uuid)` : sql``}
      order by c.name collate "C", c.id
      limit ${limit}
    ) as page join creatives c on c.id = page.id
    order by c.name collate "C", c.id`.execute(db)
  return found.rows
}

/** Returns the texts of those of the creatives that still exist, by id. */
export async function readTexts(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await sql<{ id: string; text: string }>`
    select c.id, ${creativeTexts} as text from creatives c where c.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(found.rows.map(({ id, text }) => [id, text]))
}

/** Returns the creative that has this name and is not deleted. */
export async function whoHasName(db: Db, name: string): Promise<{ id: string; task_id: string } | undefined> {
  return db
    .selectFrom('creatives')
    .select(['id', 'task_id'])
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns those of the given names that are in use. The names of deleted creatives are not in use. */
export async function takenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('creatives')
    .select('name')
    .where('name', 'in', names)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ name }) => name))
}

/** Returns the names of all creatives of a task, including deleted ones. */
export async function namesOf(db: Db, taskId: string): Promise<Set<string>> {
  const rows = await db.selectFrom('creatives').select('name').where('task_id', '=', taskId).execute()
  return new Set(rows.map(({ name }) => name))
}

export type NewCreative = Pick<
  CreativeRow,
  'id' | 'task_id' | 'name' | 'variation_num' | 'own_tags' | 'file' | 'completed' | 'assignee_id' | 'task_owner_id'
> & { in_work_at: Stamp | null; now: Stamp }

/** Adds a creative. The database refuses the name if another creative that is not deleted has it. */
export async function insertCreative(tx: Db, { now, ...creative }: NewCreative): Promise<void> {
  await untyped(tx)
    .insertInto('creatives')
    .values({ ...creative, rolled_up_at: now, created_at: now, updated_at: now })
    .execute()
  tellChanged(tx, 'creative', creative.id)
}

export async function updateCreative(tx: Db, id: string, changed: Partial<CreativeRow>, now: Stamp): Promise<void> {
  await untyped(tx)
    .updateTable('creatives')
    .set({ ...changed, revision: sql`revision + 1`, updated_at: now })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'creative', id)
}

/** Drops the types of the columns, since Kysely cannot check updates whose columns are known only at run time. */
const untyped = (tx: Db) => tx as unknown as Kysely<Record<keyof Tables, Record<string, unknown>>>

/**
 * Copies members of tasks and variants to the creatives where they differ, in two SQL statements for any number of tasks.
 * Creatives without such copies (`rolled_up_at` is null) get only `done`: for them, the lookup (launches/lookup-text.ts) reads
 * all other members from their task.
 */
export async function rollUp(tx: Db, taskIds: readonly string[]): Promise<void> {
  const rolled = keysOf(taskIds, 'uuid')
  await sql`${rolled.begin('roll_up_done')}
    update creatives c set done = r.done
    from creative_rollup r where r.id = c.id and c.task_id ${rolled.is} and c.done <> r.done`.execute(tx)
  await sql`${rolled.begin('roll_up')}
    update creatives c
    set (locale, geo, subject, topic, subtopics, primary_anchor, audience, awareness_stage, messaging_angle,
         hook_trigger, hook_type, ad_format, tags, traffic_flow, landing, funnel, cpp, rolled_up_at) =
        (r.locale, r.geo, r.subject, r.topic, r.subtopics, r.primary_anchor, r.audience, r.awareness_stage,
         r.messaging_angle, r.hook_trigger, r.hook_type, r.ad_format, r.tags, r.traffic_flow, r.landing, r.funnel,
         r.cpp, now_ms())
    from creative_rollup r
    where r.id = c.id and c.task_id ${rolled.is} and c.rolled_up_at is not null
      and (c.locale, c.geo, c.subject, c.topic, c.subtopics, c.primary_anchor, c.audience, c.awareness_stage,
           c.messaging_angle, c.hook_trigger, c.hook_type, c.ad_format, c.tags, c.traffic_flow, c.landing, c.funnel,
           c.cpp)
        is distinct from
          (r.locale, r.geo, r.subject, r.topic, r.subtopics, r.primary_anchor, r.audience, r.awareness_stage,
           r.messaging_angle, r.hook_trigger, r.hook_type, r.ad_format, r.tags, r.traffic_flow, r.landing, r.funnel,
           r.cpp)`.execute(tx)
  tellChanged(tx, 'task', taskIds)
}

/**
 * Sets `in_work_at` of the creatives of tasks that have just entered in_progress, except where it is set already. Deleted creatives
 * stay unchanged.
 */
export async function startWork(tx: Db, taskIds: readonly string[], now: Stamp): Promise<void> {
  await tx
    .updateTable('creatives')
    .set({ in_work_at: now })
    .where('task_id', 'in', [...taskIds])
    .where('in_work_at', 'is', null)
    .where('deleted_at', 'is', null)
    .execute()
  tellChanged(tx, 'task', taskIds)
}

/** Deletes a task's creatives together with the task, under the same delete id. Other creatives may then take their names. */
export async function deleteCreativesOf(tx: Db, taskId: string, deleteId: string, now: Stamp): Promise<void> {
  await sql`
    update creatives set deleted_at = ${now}, delete_id = ${deleteId}, revision = revision + 1
    where id in (
      select id from creatives where task_id = ${taskId} and deleted_at is null order by name collate "C" for no key update
    )`.execute(tx)
  tellChanged(tx, 'task', taskId)
}

/**
 * Returns the creatives that were deleted under `deleteId` and whose names are in use by now, sorted by name. A name may be in use
 * by a creative that is not deleted, or by another creative with this `deleteId`, since deleted creatives can be renamed.
 */
export async function findConflicts(tx: Db, taskId: string, deleteId: string): Promise<CreativeConflict[]> {
  const found = await sql<CreativeConflict>`
    select c.id as creative_id, c.name, taker.id as taken_by, taker.task_id as taken_by_task_id
    from creatives c
    join creatives taker on taker.name = c.name and taker.deleted_at is null
    where c.task_id = ${taskId} and c.delete_id = ${deleteId}
    union all
    select c.id, c.name, twin.id, twin.task_id
    from creatives c
    join creatives twin on twin.task_id = c.task_id and twin.delete_id = c.delete_id and twin.name = c.name
      and twin.id < c.id
    where c.task_id = ${taskId} and c.delete_id = ${deleteId}
    order by 2, 1`.execute(tx)
  return found.rows
}

/**
 * Restores the creatives that were deleted together with their task, in the order of their names. Because of this order, two restores
 * of the same names do not deadlock: the second one waits at the first name. Returns their names.
 */
export async function restoreCreativesOf(tx: Db, taskId: string, deleteId: string): Promise<string[]> {
  await sql`select restore_creatives(${taskId}, ${deleteId})`.execute(tx)
  tellChanged(tx, 'task', taskId)
  const back = await sql<{ name: string }>`
    select name from creatives where task_id = ${taskId} and deleted_at is null`.execute(tx)
  return back.rows.map(({ name }) => name)
}

export async function fileOfVersion(db: Db, creativeId: string, number: number): Promise<string | undefined> {
  const found = await sql<{ file: string }>`
    select file from versions_of_creatives where creative_id = ${creativeId} and number = ${number}`.execute(db)
  return found.rows[0]?.file
}

/**
 * The current version `v` of each creative `c`, to be joined. As a plain join, PostgreSQL would read all creatives for the view, since
 * it does not pass the condition of a join into a union; `offset 0` keeps this one from becoming such a join. A page of a task takes 5
 * ms instead of 118 with 300,000 creatives.
 */
export const versionOfCreative = sql`lateral (
  select x.number from versions_of_creatives x where x.creative_id = c.id and x.file = c.file offset 0) v on true`

/** Returns the number of a creative's current version; null if the creative has no file. */
export async function currentVersion(db: Db, creativeId: string): Promise<number | null> {
  const found = await sql<{ number: number }>`
    select v.number from creatives c join versions_of_creatives v on v.creative_id = c.id and v.file = c.file
    where c.id = ${creativeId}`.execute(db)
  return found.rows[0]?.number ?? null
}

/**
 * Stores a row for a creative's first version, so that other rows can refer to it. Until this is called or the file is replaced,
 * that version has no row. `actor`: who put the file on the creative; null if that is not known.
 */
export async function keepFirstVersion(tx: Db, creativeId: string, actor: Actor | null = null): Promise<void> {
  const { by_user, by_token } = actor ? authorOf(actor) : { by_user: null, by_token: null }
  await sql`
    with first as (
      insert into creative_versions (creative_id, number, file, provenance, by_user, by_token, at)
      select creative_id, number, file, provenance, ${by_user}::uuid, ${by_token}::uuid, at from versions_of_creatives
      where creative_id = ${creativeId} and number = 1
      on conflict do nothing returning creative_id, file
    )
    insert into file_uses (digest, used_by, user_key) select file, 'creative', creative_id::text from first
    on conflict do nothing`.execute(tx)
}

/**
 * Saves the creative's provenance in the row of its current version, unless that row has one. Called before the creative gets the
 * provenance of another version. A provenance that an older version of Atelier wrote does not name its file: it is of this file.
 */
export async function keepProvenance(tx: Db, creativeId: string): Promise<void> {
  await sql`
    update creative_versions v set provenance = c.provenance
    from creatives c
    where c.id = ${creativeId} and v.creative_id = c.id and v.provenance is null
      and coalesce(c.provenance ->> 'file', c.file) = v.file`.execute(tx)
}

/** Gives the creative the provenance of a version that has just become the current one. */
export async function takeProvenance(tx: Db, creativeId: string, version: number, now: Stamp): Promise<void> {
  await sql`
    update creatives c set provenance = v.provenance, updated_at = ${now}
    from creative_versions v
    where c.id = ${creativeId} and v.creative_id = c.id and v.number = ${version}`.execute(tx)
  tellChanged(tx, 'creative', creativeId)
}
