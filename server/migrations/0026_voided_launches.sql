-- Launches that were recorded wrongly. A correction moves them from `launches` to this table, so that all versions of the product
-- find only valid launches in `launches`. Here they are kept for the history of their task.
-- works with: 0.2.0

create table voided_launches (
  id uuid primary key, -- the id that the launch had in `launches`
  ad_id text not null,
  launched_at timestamptz(3) not null,
  creative_id uuid references creatives on delete cascade,
  task_id uuid references tasks on delete cascade,
  name text,
  recorded_at timestamptz(3) not null,
  by_user uuid references users,
  by_token uuid references tokens,
  voided_at timestamptz(3) not null default now_ms(),
  voided_by_user uuid references users,
  voided_by_token uuid references tokens,
  replaced_by_ad_id text -- the campaign id of the correct launch; null: it never went live
);
create index voided_launches_of_creative on voided_launches (creative_id);
create index voided_launches_of_pack on voided_launches (task_id);
create index voided_launches_of_name on voided_launches (name) where creative_id is null and task_id is null;
