-- The foundation: people, tokens, products, tasks, creatives, comments, activity, counters.
-- Like all migrations, it uses only SQL that both PostgreSQL 15 and the embedded database can execute.

-- The database's time in milliseconds, as responses show it: so a time that a client sends back equals the stored one.
create function now_ms() returns timestamptz language sql volatile parallel safe as
$$ select date_trunc('milliseconds', clock_timestamp()) $$;

-- Declared `stable` like `to_char`: if it were `immutable`, PostgreSQL would not inline it, and it would take 5 times as long.
create function iso(at timestamptz) returns text language sql stable parallel safe as
$$ select to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- The distinct sequences of one, two and three characters in a text. They are the terms of the search index. Each line of the text
-- is a name of its own, so no sequence crosses a line break.
-- Because of the high cost, the planner uses the index instead of calling this function for each row.
create function search_grams(folded text) returns text[] language sql immutable strict parallel safe cost 5000 as
$$
  select coalesce(array_agg(distinct gram collate "C"), '{}')
  from (
    select substr(line, i, n) as gram
    from string_to_table(folded, E'\n') as line,
         generate_series(1, char_length(line)) as i,
         generate_series(1, 3) as n
    where i + n - 1 <= char_length(line)
  ) as grams
$$;

create type task_status as enum
  ('backlog', 'ready_for_production', 'in_progress', 'tech_check', 'creative_check', 'done', 'archived');
create type test_status as enum ('not_tested', 'in_test', 'tested', 'paused');

-- Secret keys that all processes share, for example for signing cursors. The first process that needs a key generates it.
create table secrets (
  name text primary key,
  value bytea not null,
  created_at timestamptz(3) not null default now_ms()
);

create table users (
  id uuid primary key,
  name text,
  email text,
  image_url text,
  role text not null check (role in ('reader', 'writer', 'admin')),
  active boolean not null default true,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);

-- Static bearer tokens, of which only hashes are stored. `user_id` is null if the token belongs to an integration, not to a person.
create table tokens (
  id uuid primary key,
  name text not null,
  hash bytea not null unique,
  hint text not null,
  scopes text[] not null,
  user_id uuid references users,
  expires_at timestamptz(3),
  created_at timestamptz(3) not null default now_ms(),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);

create table products (
  id uuid primary key,
  name text not null constraint products_name unique,
  code text not null constraint products_code unique, -- a part of creatives' names; it is never changed, not even with `name`
  created_at timestamptz(3) not null default now_ms()
);

create sequence task_number as integer;

create table tasks (
  id uuid primary key,
  number integer not null default nextval('task_number') check (number > 0),
  revision integer not null default 1, -- shown as the ETag; does not rise if only derived columns change
  schema_version integer not null default 3,
  name text not null,
  generated_name text,
  search_text text not null, -- `name` and `generated_name`, case-folded, one per line
  name_key text collate "C" generated always as (split_part(search_text, E'\n', 1)) stored,
  planned_creative_names text[] not null default '{}',
  planned_creatives_done text[] not null default '{}',
  status task_status not null default 'backlog',
  test_status test_status not null default 'not_tested',
  task_type text,
  work_stream text,
  product_id uuid references products,
  media_type text,
  source text not null default 'META',
  creation_complexity integer,
  execution_complexity integer,
  priority integer check (priority between 1 and 5),
  count integer,
  creation_points integer generated always as (creation_complexity * greatest(coalesce(count, 1), 1)) stored,
  execution_points integer generated always as (execution_complexity * greatest(coalesce(count, 1), 1)) stored,
  assignee_id uuid references users,
  task_owner_id uuid references users,
  deadline_at timestamptz(3),
  started_at timestamptz(3),
  submitted_at timestamptz(3),
  completed_at timestamptz(3),
  status_entered_at timestamptz(3),
  time_in_progress_seconds double precision not null default 0,
  time_on_check_seconds double precision not null default 0,
  return_count integer not null default 0,
  manual_launch boolean not null default false,
  launched_at timestamptz(3),
  ad_id text,
  resolution text,
  geo text,
  language text,
  varied_elements text[] not null default '{}',
  var_description text,
  origin_creative_id uuid, -- no foreign key: that creative may be purged before this task
  source_creative_ids uuid[] not null default '{}',
  is_legacy boolean not null default false,
  legacy_remap_list text,
  drive_url text,
  drive_folder_id text,
  hypothesis text,
  subject text,
  topic text,
  subtopics text[] not null default '{}',
  primary_anchor text,
  audience text,
  awareness_stage text,
  messaging_angle text,
  hook_trigger text,
  hook_type text,
  ad_format text,
  notes text,
  traffic_flow text,
  landing jsonb,
  funnel jsonb,
  cpp jsonb,
  variants jsonb not null default '[]', -- a list of TaskVariant; always replaced as a whole
  automation_state text,
  automation_error text,
  automation_started_at timestamptz(3),
  automation_ran_at timestamptz(3),
  comment_count integer not null default 0,
  creatives_total integer not null default 0,
  creatives_done integer not null default 0,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  deleted_at timestamptz(3),
  delete_id uuid, -- the id of the delete; creatives that were deleted with the task have the same id
  check ((deleted_at is null) = (delete_id is null))
);

-- Files, which are identified by a hash of their content and never change. For every row, the bytes are in the file store.
create table files (
  digest text primary key check (digest ~ '^[0-9a-f]{64}$'), -- SHA-256 of the bytes
  size bigint not null check (size > 0),
  media_type text not null,
  created_at timestamptz(3) not null default now_ms(),
  unused_since timestamptz(3) default now_ms() -- null while the file is used; a purge removes files that were unused for long
);
create index files_unused on files (unused_since) where unused_since is not null;

-- Digests whose bytes may be in the file store although `files` has no row for them: those of uploads in progress, of interrupted
-- uploads, and of purged files.
create table loose_files (
  digest text primary key,
  loose_since timestamptz(3) not null default now_ms()
);

create table creatives (
  id uuid primary key,
  task_id uuid not null references tasks on delete cascade,
  revision integer not null default 1,
  name text not null,
  variation_num integer check (variation_num >= 1),
  file text references files,
  completed boolean not null default false,
  done boolean not null default false, -- it has a file, or it or its variant is completed
  own_tags text[],                     -- null: its variant's tags apply
  assignee_id uuid references users,
  task_owner_id uuid references users,
  in_work_at timestamptz(3),
  ad_id text,
  launched_at timestamptz(3),
  test_status test_status not null default 'not_tested',
  -- The rollup: the columns below contain copies of values of the task and variant. `rolled_up_at` is null for creatives that were
  -- imported from a system without such copies; for them, the lookup reads the values from the task.
  rolled_up_at timestamptz(3),
  locale text,
  geo text,
  subject text,
  topic text,
  subtopics text[] not null default '{}',
  primary_anchor text,
  audience text,
  awareness_stage text,
  messaging_angle text,
  hook_trigger text,
  hook_type text,
  ad_format text,
  tags text[] not null default '{}',
  traffic_flow text,
  landing jsonb,
  funnel jsonb,
  cpp jsonb,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  deleted_at timestamptz(3),
  delete_id uuid,
  check ((deleted_at is null) = (delete_id is null))
);
-- This index alone decides whether a name is taken. Deleted creatives are not in it, so their names may be given to others.
create unique index creatives_live_name on creatives (name) where deleted_at is null;
create index creatives_of_task on creatives (task_id, name collate "C", id);
create index creatives_deleted on creatives (deleted_at) where deleted_at is not null;
create index creatives_file on creatives (file) where file is not null;

-- Restores the creatives that were deleted under one delete id, one at a time in the order of their names. So if two restores want
-- the same names, the second one waits at the first of these names. A single update would take the names in the order in which its
-- plan reads the rows: two such updates could each hold a name that the other one waits for.
create function restore_creatives(of_task uuid, of_delete uuid) returns void language plpgsql as $$
declare
  next_id uuid;
begin
  for next_id in
    select id from creatives where task_id = of_task and delete_id = of_delete order by name collate "C", id
  loop
    update creatives set deleted_at = null, delete_id = null, revision = revision + 1 where id = next_id;
  end loop;
end $$;

-- The values that each creative should have copied from its task and variant. Code that changes tasks or creatives copies them to
-- `creatives` where they differ.
create view creative_rollup as
select
  c.id,
  c.task_id,
  c.file is not null or c.completed or coalesce((v.it ->> 'completed')::boolean, false) as done,
  t.language as locale,
  t.geo,
  t.subject,
  t.topic,
  t.subtopics,
  coalesce(v.it ->> 'primary_anchor', t.primary_anchor) as primary_anchor,
  coalesce(v.it ->> 'audience', t.audience) as audience,
  coalesce(v.it ->> 'awareness_stage', t.awareness_stage) as awareness_stage,
  coalesce(v.it ->> 'messaging_angle', t.messaging_angle) as messaging_angle,
  coalesce(v.it ->> 'hook_trigger', t.hook_trigger) as hook_trigger,
  coalesce(v.it ->> 'hook_type', t.hook_type) as hook_type,
  coalesce(v.it ->> 'ad_format', t.ad_format) as ad_format,
  coalesce(c.own_tags, array(select jsonb_array_elements_text(v.it -> 'tag_slugs')), '{}') as tags,
  t.traffic_flow,
  t.landing,
  t.funnel,
  t.cpp
from creatives c
join tasks t on t.id = c.task_id
left join lateral (
  select it
  from jsonb_array_elements(t.variants) as it
  where (it ->> 'variation_num')::integer = c.variation_num
) as v on true;

create table comments (
  id uuid primary key,
  task_id uuid not null references tasks on delete cascade,
  by_user uuid references users,
  by_token uuid references tokens,
  text text not null,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);
create index comments_of_task on comments (task_id, created_at, id);

-- Who did what and when. Rows are never changed, and are deleted only together with their task.
create table activity (
  id uuid primary key,
  task_id uuid not null references tasks on delete cascade,
  at timestamptz(3) not null default now_ms(),
  kind text not null,
  by_user uuid references users,
  by_token uuid references tokens,
  subject_id uuid,
  changes jsonb not null default '{}'
);
create index activity_of_task on activity (task_id, at, id);

-- Ids of purged records: the restore of one is refused because the retention window is over, not because the id is unknown.
create table purged (
  id uuid primary key,
  purged_at timestamptz(3) not null default now_ms()
);

create table idempotency_keys (
  actor text not null,
  key text not null,
  request_hash bytea not null,
  status integer,
  headers jsonb,
  body text,
  created_at timestamptz(3) not null default now_ms(),
  primary key (actor, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Changes to the numbers of tasks by status and deletion. Each change adds a row, so that writers do not wait for a common row; a
-- periodic job replaces many rows by their sum. In any snapshot, the sum of all rows is the exact number of tasks.
create table task_counts (
  id bigint generated always as identity primary key,
  status task_status not null,
  deleted boolean not null,
  delta bigint not null
);

create function count_inserted_tasks() returns trigger language plpgsql as $$
begin
  insert into task_counts (status, deleted, delta)
  select status, deleted_at is not null, count(*) from inserted group by 1, 2;
  return null;
end $$;
create trigger tasks_counted_in after insert on tasks
  referencing new table as inserted for each statement execute function count_inserted_tasks();

create function count_removed_tasks() returns trigger language plpgsql as $$
begin
  insert into task_counts (status, deleted, delta)
  select status, deleted_at is not null, -count(*) from removed group by 1, 2;
  return null;
end $$;
create trigger tasks_counted_out after delete on tasks
  referencing old table as removed for each statement execute function count_removed_tasks();

create function count_moved_task() returns trigger language plpgsql as $$
begin
  insert into task_counts (status, deleted, delta)
  values (old.status, old.deleted_at is not null, -1), (new.status, new.deleted_at is not null, 1);
  return null;
end $$;
create trigger tasks_counted_over after update of status, deleted_at on tasks
  for each row
  when (old.status <> new.status or (old.deleted_at is null) <> (new.deleted_at is null))
  execute function count_moved_task();

-- Task numbers are unique. The index is on an expression, so that the planner does not read a feed in its order: it contains both
-- live and deleted tasks, and each feed shows only one kind.
create unique index tasks_number_unique on tasks ((number + 0));

-- Indexes for the feeds. A page begins after the key and id of the last task of the page before. Most sort fields have three
-- indexes: for the whole board, for a single column, and for the feed of deleted tasks. Tasks whose key is null come last: a feed
-- reads the tasks with a key before those without.
-- Every task meets `number > 0`. Only queries of the whole board contain this condition, so only they can use the indexes that have
-- it. Otherwise the planner would use these indexes for a single column too, and read past the tasks of other columns: old tasks
-- are archived and new ones are in the backlog, so the next card of a column may be 900,000 rows away.
create index tasks_board_created_at on tasks (created_at, id) where deleted_at is null and number > 0;
create index tasks_board_updated_at on tasks (updated_at, id) where deleted_at is null and number > 0;
create index tasks_board_number on tasks (number, id) where deleted_at is null and number > 0;
create index tasks_board_name on tasks (name_key, id) where deleted_at is null and number > 0;
create index tasks_board_status on tasks (status, id) where deleted_at is null;
create index tasks_board_priority on tasks (priority, id) where deleted_at is null and number > 0;
create index tasks_board_deadline_at on tasks (deadline_at, id) where deleted_at is null and number > 0;
create index tasks_board_launched_at on tasks (launched_at, id) where deleted_at is null and number > 0;
create index tasks_board_completed_at on tasks (completed_at, id) where deleted_at is null and number > 0;
create index tasks_board_creation_points on tasks (creation_points, id) where deleted_at is null and number > 0;

create index tasks_column_created_at on tasks (status, created_at, id) where deleted_at is null;
create index tasks_column_updated_at on tasks (status, updated_at, id) where deleted_at is null;
create index tasks_column_number on tasks (status, number, id) where deleted_at is null;
create index tasks_column_name on tasks (status, name_key, id) where deleted_at is null;
create index tasks_column_priority on tasks (status, priority, id) where deleted_at is null;
create index tasks_column_deadline_at on tasks (status, deadline_at, id) where deleted_at is null;
create index tasks_column_launched_at on tasks (status, launched_at, id) where deleted_at is null;
create index tasks_column_completed_at on tasks (status, completed_at, id) where deleted_at is null;
create index tasks_column_creation_points on tasks (status, creation_points, id) where deleted_at is null;

create index tasks_deleted_deleted_at on tasks (deleted_at, id) where deleted_at is not null;
create index tasks_deleted_created_at on tasks (created_at, id) where deleted_at is not null;
create index tasks_deleted_updated_at on tasks (updated_at, id) where deleted_at is not null;
create index tasks_deleted_number on tasks (number, id) where deleted_at is not null;
create index tasks_deleted_name on tasks (name_key, id) where deleted_at is not null;
create index tasks_deleted_status on tasks (status, id) where deleted_at is not null;
create index tasks_deleted_priority on tasks (priority, id) where deleted_at is not null;
create index tasks_deleted_deadline_at on tasks (deadline_at, id) where deleted_at is not null;
create index tasks_deleted_launched_at on tasks (launched_at, id) where deleted_at is not null;
create index tasks_deleted_completed_at on tasks (completed_at, id) where deleted_at is not null;
create index tasks_deleted_creation_points on tasks (creation_points, id) where deleted_at is not null;

-- The indexes of the search, which finds any part of a name that has at least one character.
create index tasks_board_search on tasks using gin (search_grams(search_text)) where deleted_at is null;
create index tasks_deleted_search on tasks using gin (search_grams(search_text)) where deleted_at is not null;
-- No statistics for these two indexes: ANALYZE would spend most of its time on the terms of 30,000 tasks for each of them, and the
-- statistics would change the plan of none of our queries (docs/decisions/0004-search.md).
alter index tasks_board_search alter column 1 set statistics 0;
alter index tasks_deleted_search alter column 1 set statistics 0;

-- For the most frequent filters of the board: by assignee, owner or product.
create index tasks_assignee on tasks (assignee_id) where assignee_id is not null;
create index tasks_owner on tasks (task_owner_id) where task_owner_id is not null;
create index tasks_product on tasks (product_id) where product_id is not null;

-- For finding the tasks that were derived from a creative.
create index tasks_origin on tasks (origin_creative_id) where origin_creative_id is not null;
create index tasks_sources on tasks using gin (source_creative_ids);
