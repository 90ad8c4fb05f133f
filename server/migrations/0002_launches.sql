-- Launches: which creative or pack went live under which campaign id. Rows are only ever added.

create table launches (
  id uuid primary key,
  ad_id text not null, -- the ad account's campaign id: 17 or more digits, so never a number
  launched_at timestamptz(3) not null,
  creative_id uuid references creatives on delete cascade,
  task_id uuid references tasks on delete cascade, -- a pack: it holds for all creatives of the task
  name text, -- of a creative's launch: the name it was recorded under
  recorded_at timestamptz(3) not null default now_ms(),
  by_user uuid references users,
  by_token uuid references tokens,
  check (num_nonnulls(creative_id, task_id) <= 1),
  check (name is not null or task_id is not null)
);
-- Recording the same launch again adds nothing.
create unique index launches_of_creative on launches (creative_id, ad_id, launched_at) where creative_id is not null;
create unique index launches_of_pack on launches (task_id, ad_id, launched_at) where task_id is not null;
-- Launches of names nobody had yet: kept, and adopted by the creative that gets the name.
create unique index launches_unclaimed on launches (name, ad_id, launched_at)
  where creative_id is null and task_id is null;
create index launches_ad_id on launches (ad_id);
