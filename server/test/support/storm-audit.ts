// In charge of what must be true while many clients delete, restore, purge and rename at once: triggers log every delete and
// restore, and SQL statements find violations.

/** Runs one SQL statement and returns its rows. */
export type Rows = <T>(text: string) => Promise<T[]>

/** Tables whose rows belong to the review of a creative or task. */
const reviewTables = [
  'creative_versions',
  'review_comments',
  'review_decisions',
  'guest_links',
  'guest_link_creatives',
  'guests',
  'notices',
]

/** Statements that run once on the storm's database before the storm starts. */
const logStatements = [
  `create table storm_log (
    id bigint generated always as identity primary key,
    txid bigint not null default txid_current(),
    what text not null, task_id uuid, creative_id uuid, delete_id uuid
  )`,
  'create index storm_log_delete on storm_log (delete_id, what)',
  `create function storm_log_task() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into storm_log (what, task_id, delete_id) values ('task purged', old.id, old.delete_id);
    else
      insert into storm_log (what, task_id, delete_id)
      values (case when new.delete_id is null then 'task up' else 'task down' end, new.id, coalesce(new.delete_id, old.delete_id));
    end if;
    return null;
  end $$`,
  `create trigger storm_task_moved after update on tasks for each row
    when (old.delete_id is distinct from new.delete_id) execute function storm_log_task()`,
  'create trigger storm_task_purged after delete on tasks for each row execute function storm_log_task()',
  `create function storm_log_creative() returns trigger language plpgsql as $$
  begin
    if tg_op = 'DELETE' then
      insert into storm_log (what, task_id, creative_id, delete_id) values ('purged', old.task_id, old.id, old.delete_id);
    else
      insert into storm_log (what, task_id, creative_id, delete_id)
      values (case when new.delete_id is null then 'up' else 'down' end, new.task_id, new.id, coalesce(new.delete_id, old.delete_id));
    end if;
    return null;
  end $$`,
  `create trigger storm_creative_moved after update on creatives for each row
    when (old.delete_id is distinct from new.delete_id) execute function storm_log_creative()`,
  'create trigger storm_creative_purged after delete on creatives for each row execute function storm_log_creative()',
  `create function storm_log_review() returns trigger language plpgsql as $$
  begin
    insert into storm_log (what, task_id, creative_id)
    values (case tg_op when 'DELETE' then 'review gone' else 'review changed' end,
      (to_jsonb(old) ->> 'task_id')::uuid, (to_jsonb(old) ->> 'creative_id')::uuid);
    return null;
  end $$`,
  ...reviewTables.map(
    (table) =>
      `create trigger storm_${table} after update or delete on ${table} for each row execute function storm_log_review()`,
  ),
]

/** Name of a violation → a statement that returns a row for each such violation in the current snapshot. */
const always: Record<string, string> = {
  'two live creatives of one name': `
    select name as what from creatives where deleted_at is null group by name having count(*) > 1`,
  'a live creative of a deleted task': `
    select c.name as what from creatives c join tasks t on t.id = c.task_id
    where c.deleted_at is null and t.deleted_at is not null`,
  'a task restored by half: a creative its delete took down is down yet': `
    select c.name as what from creatives c join tasks t on t.id = c.task_id
    where t.deleted_at is null and exists (
      select 1 from storm_log where delete_id = c.delete_id and what = 'task down')`,
  'a task deleted by half: its delete does not hold all it took down': `
    select t.number::text as what from tasks t
    where t.deleted_at is not null
      and (select count(*) from creatives c where c.delete_id = t.delete_id)
        <> (select count(*) from storm_log l where l.delete_id = t.delete_id and l.what = 'down')`,
  'a counter of a task that is wrong': `
    select t.number::text as what from tasks t
    cross join lateral (
      select count(*) as total, count(*) filter (where done) as done from creatives c
      where c.task_id = t.id and c.deleted_at is null
    ) as n
    where (t.creatives_total, t.creatives_done, t.comment_count, t.planned_creatives_done) is distinct from (
      n.total::integer, n.done::integer, (select count(*)::integer from comments m where m.task_id = t.id),
      array(
        select p.name from unnest(t.planned_creative_names) with ordinality as p (name, position)
        where exists (select 1 from creatives c
          where c.task_id = t.id and c.name = p.name and c.deleted_at is null and c.done)
        order by p.position))`,
  'totals of columns that are wrong': `
    select coalesce(a.status, b.status)::text || ' ' || coalesce(a.deleted, b.deleted) as what
    from (select status, deleted, sum(delta) as n from task_counts group by 1, 2 having sum(delta) <> 0) as a
    full join (select status, deleted_at is not null as deleted, count(*) as n from tasks group by 1, 2) as b
      on a.status = b.status and a.deleted = b.deleted
    where a.n is distinct from b.n`,
  'a live creative whose campaign is neither that of its own latest launch nor of its pack': `
    select c.name as what from creatives c join tasks t on t.id = c.task_id
    where c.deleted_at is null and c.ad_id is distinct from coalesce((
      select ad_id from launches l where l.creative_id = c.id
      order by launched_at desc, recorded_at desc, id desc limit 1), t.ad_id)`,
  'a guest who sees what is deleted': `
    select c.name as what from guest_creatives s join creatives c on c.id = s.creative_id join tasks t on t.id = c.task_id
    where c.deleted_at is not null or t.deleted_at is not null`,
  'a decision that holds about another file': `
    select c.name as what from review_decisions d join creatives c on c.id = d.creative_id
    where d.void_at is null and d.file is distinct from c.file`,
  'a creative whose file is not among its versions': `
    select c.name as what from creatives c
    where c.file is not null and not exists (
      select from versions_of_creatives v where v.creative_id = c.id and v.file = c.file)`,
  'a use of a file by a creative that is gone': `
    select u.user_key as what from file_uses u
    where u.used_by = 'creative' and not exists (select from creatives c where c.id::text = u.user_key)`,
  'a live creative that does not say what its task says': `
    select c.name as what from creatives c join creative_rollup r on r.id = c.id
    where c.deleted_at is null and (c.done, c.locale, c.geo, c.subject, c.tags, c.messaging_angle)
      is distinct from (r.done, r.locale, r.geo, r.subject, r.tags, r.messaging_angle)`,
}

/** Name of a violation → a statement that finds it in the log, which is complete only when the storm has ended. */
const afterwards: Record<string, string> = {
  'a restore that did not bring back exactly what its delete took down': `
    select l.task_id::text as what from storm_log l
    where l.what = 'task up' and (
      select array_agg(creative_id order by creative_id) from storm_log d where d.delete_id = l.delete_id and d.what = 'down'
    ) is distinct from (
      select array_agg(creative_id order by creative_id) from storm_log u
      where u.delete_id = l.delete_id and u.what = 'up' and u.txid = l.txid)`,
  "a task's restore that brought back a creative deleted by itself": `
    select u.creative_id::text as what from storm_log u
    join storm_log l on l.txid = u.txid and l.what = 'task up'
    where u.what = 'up' and u.delete_id <> l.delete_id`,
  "a creative that came back by itself from its task's delete": `
    select u.creative_id::text as what from storm_log u
    where u.what = 'up' and exists (select 1 from storm_log d where d.delete_id = u.delete_id and d.what = 'task down')
      and not exists (select 1 from storm_log l where l.txid = u.txid and l.what = 'task up')`,
  'a purge that left no trace for a later restore': `
    select coalesce(creative_id, task_id)::text as what from storm_log l
    where l.what in ('purged', 'task purged')
      and not exists (select 1 from purged p where p.id = coalesce(l.creative_id, l.task_id))`,
  'a review that lost something without a purge': `
    select coalesce(g.creative_id, g.task_id)::text as what from storm_log g
    where g.what = 'review gone' and not exists (
      select 1 from storm_log p where p.txid = g.txid and p.what in ('purged', 'task purged')
        -- A row about a guest belongs to a guest link, and has neither of these ids.
        and (p.creative_id = g.creative_id or p.task_id = g.task_id or coalesce(g.creative_id, g.task_id) is null))`,
  'a delete or a restore that changed a review': `
    select coalesce(g.creative_id, g.task_id)::text as what from storm_log g
    where g.what = 'review changed'
      and exists (select 1 from storm_log l where l.txid = g.txid and l.what in ('task down', 'task up', 'down', 'up'))`,
  'a purge of something that was live': `
    select coalesce(creative_id, task_id)::text as what from storm_log
    where what in ('purged', 'task purged') and delete_id is null`,
}

export async function startLog(rows: Rows): Promise<void> {
  for (const statement of logStatements) await rows(statement)
}

/** Finds the violations in one snapshot; called while the storm goes on. */
export const checkNow = (rows: Rows): Promise<string[]> => check(rows, always)
/** Finds the violations that only the complete log shows, and those in the last snapshot. */
export const checkAfterwards = (rows: Rows): Promise<string[]> => check(rows, { ...always, ...afterwards })

async function check(rows: Rows, checks: Record<string, string>): Promise<string[]> {
  const parts = Object.entries(checks).map(
    ([name, text]) => `select '${name.replaceAll("'", "''")}' as broken, what from (${text}) as it`,
  )
  const found = await rows<{ broken: string; what: string | null }>(parts.join('\nunion all\n'))
  return found.map(({ broken, what }) => `${broken}: ${what}`)
}

/** How often each kind of event is in the log. */
export async function countEvents(rows: Rows): Promise<Record<string, number>> {
  const found = await rows<{ what: string; n: number }>('select what, count(*)::integer as n from storm_log group by 1')
  return Object.fromEntries(found.map(({ what, n }) => [what, n]))
}
