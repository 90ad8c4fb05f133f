-- Launches: which creative or pack (a task as a whole) went live under which campaign id (`ad_id`).

create table launches (
  id uuid primary key,
  ad_id text not null, -- the campaign id of the ad account; text, because JSON numbers are not exact with its 17 or more digits
  launched_at timestamptz(3) not null,
  creative_id uuid references creatives on delete cascade,
  task_id uuid references tasks on delete cascade, -- for a pack: the launch counts for all creatives of this task
  name text, -- the creative's name in the request that recorded the launch; null for a pack
  recorded_at timestamptz(3) not null default now_ms(),
  by_user uuid references users,
  by_token uuid references tokens,
  check (num_nonnulls(creative_id, task_id) <= 1),
  check (name is not null or task_id is not null)
);
-- Because of these two indexes, recording the same launch again adds nothing.
create unique index launches_of_creative on launches (creative_id, ad_id, launched_at) where creative_id is not null;
create unique index launches_of_pack on launches (task_id, ad_id, launched_at) where task_id is not null;
-- Launches under a name that no creative has yet. They wait, and are given to the creative that gets the name.
create unique index launches_unclaimed on launches (name, ad_id, launched_at)
  where creative_id is null and task_id is null;
create index launches_ad_id on launches (ad_id);
