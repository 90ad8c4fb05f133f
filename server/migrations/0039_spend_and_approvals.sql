-- Spending by creative and by product outlives the runs, comments, creatives and tasks that it came from. An approval says of which
-- state of its run it is.
-- works with: 0.2.0

-- The creatives that have a file of a run, by an export or by a take that was used. Without foreign keys: a row is kept when the run
-- or the creative is purged. The triggers below add the rows, so also those of exports that older versions make.
create table run_creatives (
  run_id uuid not null,
  creative_id uuid not null,
  primary key (run_id, creative_id)
);

create function keep_creative_of_export() returns trigger language plpgsql as $$
begin
  insert into run_creatives (run_id, creative_id) values (new.run_id, new.creative_id) on conflict do nothing;
  return null;
end $$;

create trigger exports_creatives_kept after insert on exports for each row execute function keep_creative_of_export();

-- `run_id` of a take is null if its run was purged before the take was used; the version that the take made still names the run.
create function keep_creative_of_take() returns trigger language plpgsql as $$
begin
  insert into run_creatives (run_id, creative_id)
  select made.run_id, new.creative_id
  from (select coalesce(new.run_id, (
    select (provenance ->> 'run_id')::uuid from creative_versions
    where creative_id = new.creative_id and number = new.version)) as run_id) as made
  where made.run_id is not null
  on conflict do nothing;
  return null;
end $$;

create trigger review_takes_creatives_kept after insert or update of state on review_takes
  for each row when (new.state = 'used') execute function keep_creative_of_take();

insert into run_creatives (run_id, creative_id)
select run_id, creative_id from exports
union
select coalesce(t.run_id, (v.provenance ->> 'run_id')::uuid), t.creative_id
from review_takes t left join creative_versions v on v.creative_id = t.creative_id and v.number = t.version
where t.state = 'used' and coalesce(t.run_id, (v.provenance ->> 'run_id')::uuid) is not null;

-- Of a purged task: the product that it had last; null if it had none, or if it was purged before this migration.
alter table purged add column product_id uuid references products;

-- The trigger runs at the end of the statement that deletes the task, which may have added the row of `purged` itself.
create function keep_product_of_task() returns trigger language plpgsql as $$
begin
  insert into purged (id, product_id) values (old.id, old.product_id)
  on conflict (id) do update set product_id = excluded.product_id;
  return null;
end $$;

create trigger tasks_product_kept after delete on tasks
  for each row when (old.product_id is not null) execute function keep_product_of_task();

-- The generation and the definition (by its signature) that the run had when the approval was requested; null if an older version
-- stored the request. Once the run differs from them, no start can use the approval.
alter table approvals add column generation integer, add column signature text;
