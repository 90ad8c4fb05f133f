// In charge of the SQL that records launches, and that updates tasks and creatives from their launches.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Actor, authorOf } from '../../../platform/actor.ts'
import { shareNames } from '../../../platform/advisory-locks.ts'
import { type Db, tellChanged } from '../../../platform/db.ts'
import { keysOf, rowsAs } from '../../../platform/rows.ts'
import type { Stamp } from '../../../platform/tables.ts'

export type LaunchEntry = {
  ad_id: string
  /**
   * Null if the request has no date. The launch then gets the present time, but is not added if the same creative or pack already
   * has a launch with this ad_id.
   */
  launched_at: Stamp | null
  creative_id: string | null
  task_id: string | null
  name: string | null
}

const launchRows = rowsAs('e', {
  ...{ id: 'uuid', ad_id: 'text', launched_at: 'timestamptz', creative_id: 'uuid', task_id: 'uuid', name: 'text' },
})

/**
 * Adds launches that do not exist yet; returns for each entry whether it was added. An entry without a date is not added if its
 * creative or pack has any launch with the same ad_id, or gets one from an earlier entry. An entry that equals a voided launch is
 * added only by a correction (`isCorrection`), since anybody else would repeat the mistake; such an entry does not count as an
 * earlier one either. An entry without a date equals a voided launch that was sent without one too (its date is its `recorded_at`). All entries of a request have the same `recorded_at`; their ids rise in the order of the entries.
 */
export async function insertLaunches(
  tx: Db,
  actor: Actor,
  entries: readonly LaunchEntry[],
  { isCorrection = false } = {},
): Promise<boolean[]> {
  const author = authorOf(actor)
  const rows = entries.map((entry) => ({ ...entry, id: uuidv7() }))
  const given = launchRows(rows)
  // Without `offset 0`, PostgreSQL would simplify the conditions for the given values, and would make a new plan for that at each
  // call (0.5 ms). Of entries that are equal, the first is added: the unique indexes refuse the others, also those without a date,
  // as all of them get the same one.
  const added = await sql<{ id: string }>`${given.begin('insert_launches')}
    insert into launches (id, ad_id, launched_at, creative_id, task_id, name, recorded_at, by_user, by_token)
    select e.id, e.ad_id, coalesce(e.launched_at, now.at), e.creative_id, e.task_id, e.name, now.at,
      ${author.by_user}::uuid, ${author.by_token}::uuid
    from (
      select d.*, bool_or(d.is_valid) over (partition by d.creative_id, d.task_id, d.name, d.ad_id order by d.id) as is_there
      from (
        select e.*, e.launched_at is not null and (${isCorrection}::boolean or not exists (
          select 1 from voided_launches v
          where v.ad_id = e.ad_id and v.launched_at = e.launched_at and (v.creative_id = e.creative_id or v.task_id = e.task_id
            or v.name = e.name and v.creative_id is null and v.task_id is null)
        )) as is_valid
        from (select e.* from ${given.from} offset 0) as e
      ) as d
    ) as e cross join (select now_ms() as at) as now
    where e.is_valid or e.launched_at is null and not (
      e.is_there
      or exists (select 1 from launches l where l.creative_id = e.creative_id and l.ad_id = e.ad_id)
      or exists (select 1 from launches l where l.task_id = e.task_id and l.ad_id = e.ad_id)
      or e.creative_id is null and exists (select 1 from launches l
        where l.name = e.name and l.ad_id = e.ad_id and l.creative_id is null and l.task_id is null)
      or exists (select 1 from voided_launches v
        where v.ad_id = e.ad_id and v.launched_at = v.recorded_at and (v.creative_id = e.creative_id or v.task_id = e.task_id
          or v.name = e.name and v.creative_id is null and v.task_id is null))
    )
    order by e.id
    on conflict do nothing
    returning id`.execute(tx)
  const done = new Set(added.rows.map(({ id }) => id))
  const written = rows.filter(({ id }) => done.has(id))
  tellChanged(
    tx,
    'creative',
    written.flatMap(({ creative_id }) => creative_id ?? []),
  )
  return rows.map(({ id }) => done.has(id))
}

/**
 * Lets only one transaction at a time record launches with names that no creative has. Such launches have no task that could be
 * locked. And the unique index does not detect that two requests without a date mean the same launch: each launch gets the time of
 * its own request as its date.
 */
export async function lockUnclaimed(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('launches_unclaimed'))`.execute(tx)
}

export type NamedCreative = { id: string; name: string; task_id: string; is_awaited: boolean }

/**
 * Returns the creatives with these names, and the ids of their tasks; `is_awaited`: whether a launch still waits for the creative.
 * Deleted creatives are left out.
 */
export async function creativesNamed(db: Db, names: readonly string[]): Promise<NamedCreative[]> {
  const asked = keysOf(names)
  const found = await sql<NamedCreative>`${asked.begin('creatives_named')}
    select c.id, c.name, c.task_id, exists (
      select 1 from launches l where l.name = c.name and l.creative_id is null and l.task_id is null
    ) as is_awaited
    from creatives c where c.name ${asked.is} and c.deleted_at is null`.execute(db)
  return found.rows
}

/** Returns the ids of each task's creatives, oldest first. Deleted creatives are left out. */
export async function liveCreativesOf(db: Db, taskIds: readonly string[]): Promise<Map<string, string[]>> {
  const asked = keysOf(taskIds, 'uuid')
  const found = await sql<{ task_id: string; ids: string[] }>`${asked.begin('live_creatives_of')}
    select task_id, array_agg(id order by created_at, id) as ids from creatives
    where task_id ${asked.is} and deleted_at is null group by task_id`.execute(db)
  return new Map(found.rows.map(({ task_id, ids }) => [task_id, ids]))
}

/**
 * A launch waits if no creative had its name when it was recorded. If a creative of these tasks has the name now, gives the launch
 * to that creative. Deletes the launch instead if `insertLaunches` would not have added it to that creative: a launch tool may send
 * its launches again while the creative is deleted. A launch that was sent without a date has its `recorded_at` as date. Returns
 * whether any creative got a launch.
 */
export async function adoptLaunches(tx: Db, taskIds: readonly string[]): Promise<boolean> {
  const asked = keysOf(taskIds, 'uuid')
  const adopted = await sql<{ creative_id: string }>`${asked.begin('adopt_launches')}
    with waiting as materialized (
      select l.id, c.id as creative_id, exists (
        select 1 from launches own
        where own.creative_id = c.id and own.ad_id = l.ad_id
          and (own.launched_at = l.launched_at or l.launched_at = l.recorded_at)
      ) or exists (
        select 1 from voided_launches v
        where v.creative_id = c.id and v.ad_id = l.ad_id
          and (v.launched_at = l.launched_at or v.launched_at = v.recorded_at and l.launched_at = l.recorded_at)
      ) as known
      from creatives c join launches l on l.name = c.name and l.creative_id is null and l.task_id is null
      where c.task_id ${asked.is} and c.deleted_at is null
    ),
    gone as (delete from launches where id in (select id from waiting where known))
    update launches l set creative_id = w.creative_id from waiting w where l.id = w.id and not w.known
    returning l.creative_id`.execute(tx)
  tellChanged(
    tx,
    'creative',
    adopted.rows.map(({ creative_id }) => creative_id),
  )
  return adopted.rows.length > 0
}

/** Returns ids of tasks that have a creative with the name of a waiting launch. Deleted creatives are left out. */
export async function tasksToAdopt(db: Db, limit: number): Promise<string[]> {
  const found = await sql<{ task_id: string }>`
    select distinct c.task_id
    from launches l join creatives c on c.name = l.name and c.deleted_at is null
    where l.creative_id is null and l.task_id is null
    limit ${limit}`.execute(db)
  return found.rows.map(({ task_id }) => task_id)
}

/** Returns the date of the first launch of each task as a pack. Tasks that were never launched as a pack are left out. */
export async function firstPackLaunches(db: Db, taskIds: readonly string[]): Promise<Map<string, Stamp>> {
  if (taskIds.length === 0) return new Map()
  const asked = keysOf(taskIds, 'uuid')
  const found = await sql<{ task_id: string; launched_at: Stamp }>`${asked.begin('first_pack_launches')}
    select task_id, iso(min(launched_at)) as launched_at from launches where task_id ${asked.is} group by task_id`.execute(
    db,
  )
  return new Map(found.rows.map(({ task_id, launched_at }) => [task_id, launched_at]))
}

/**
 * Updates tasks and their creatives from their launches, where something differs. A task has the ad_id of its latest launch as a
 * pack. A creative has the ad_id of its own latest launch, or else that of its task. `launched_at` is the date of the first launch,
 * except for tasks whose launch date people set (`manual_launch`). The first launch also changes the test status of task and
 * creative from "not tested" to "in test"; later launches do not change it.
 */
export async function applyLaunches(tx: Db, taskIds: readonly string[]): Promise<void> {
  const asked = keysOf(taskIds, 'uuid')
  // The task is updated before its creatives, because its test status depends on whether any creative already had an ad_id.
  await sql`${asked.begin('apply_launches_to_tasks')}
    update tasks t
    set ad_id = n.ad_id, launched_at = n.launched_at, test_status = n.test_status
    from (
      select t.id, latest.ad_id,
        case when t.manual_launch then t.launched_at else coalesce(first.launched_at, t.launched_at) end as launched_at,
        case when t.test_status = 'not_tested' and t.ad_id is null
            and not exists (select 1 from creatives c where c.task_id = t.id and c.ad_id is not null)
            and (latest.ad_id is not null or exists (
              select 1 from creatives c join launches l on l.creative_id = c.id where c.task_id = t.id
            ))
          then 'in_test'::test_status else t.test_status end as test_status
      from tasks t
      left join lateral (
        select ad_id from launches where task_id = t.id order by launched_at desc, recorded_at desc, id desc limit 1
      ) as latest on true
      left join lateral (select min(launched_at) as launched_at from launches where task_id = t.id) as first on true
      where t.id ${asked.is}
    ) as n
    where t.id = n.id
      and (t.ad_id, t.launched_at, t.test_status) is distinct from (n.ad_id, n.launched_at, n.test_status)`.execute(tx)
  await sql`${asked.begin('apply_launches_to_creatives')}
    update creatives c
    set ad_id = n.ad_id, launched_at = n.launched_at, test_status = n.test_status
    from (
      select c.id, coalesce(own.ad_id, t.ad_id) as ad_id,
        coalesce(least(own_first.launched_at, pack_first.launched_at), c.launched_at) as launched_at,
        case when c.test_status = 'not_tested' and c.ad_id is null and coalesce(own.ad_id, t.ad_id) is not null
          then 'in_test'::test_status else c.test_status end as test_status
      from tasks t
      left join lateral (select min(launched_at) as launched_at from launches where task_id = t.id) as pack_first on true
      join creatives c on c.task_id = t.id
      left join lateral (
        select ad_id from launches where creative_id = c.id order by launched_at desc, recorded_at desc, id desc limit 1
      ) as own on true
      left join lateral (select min(launched_at) as launched_at from launches where creative_id = c.id) as own_first on true
      where t.id ${asked.is}
    ) as n
    where c.id = n.id
      and (c.ad_id, c.launched_at, c.test_status) is distinct from (n.ad_id, n.launched_at, n.test_status)`.execute(tx)
  tellChanged(tx, 'task', taskIds)
}

/**
 * Called after creatives of the task were created, renamed or restored, and thereby got these names: the creatives get the launches
 * that waited for their names, and the ad_id and launch date of their pack. Neither this transaction nor one that records a launch
 * sees what the other one writes, so both lock the name before they look: the one that is second sees what the first has written.
 */
export async function claimLaunches(
  tx: Db,
  task: { id: string; ad_id: string | null },
  names: readonly string[],
): Promise<void> {
  await shareNames(tx, names)
  const adopted = await adoptLaunches(tx, [task.id])
  if (adopted || task.ad_id !== null) await applyLaunches(tx, [task.id])
}
