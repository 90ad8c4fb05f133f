-- Graphs, their runs, and what runs leave behind: states, rolls, answers, checkpoints, credits, the node cache.

-- `json`, not `jsonb`: a definition is kept as it was written, members in their order.
create table graphs (
  id uuid primary key,
  revision integer not null default 1,
  name text not null,
  name_folded text not null default '', -- what searches look in
  description text not null default '',
  definition json not null,
  node_count integer not null default 0, -- so that lists need not open definitions
  ui_state json not null,
  signature text not null, -- hash of the definition
  forked_from uuid,
  template boolean not null default false,
  owner_id uuid not null, -- a person, or the token of an integration
  checkpoint_at timestamptz(3) not null, -- of its newest checkpoint
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index graphs_by_update on graphs (updated_at, id);
create index graphs_due on graphs (deleted_at) where deleted_at is not null;

-- The truth about a run. `generation` counts starts, re-rolls and restores; `lease` rises also at every claim, cancel
-- and answer to a parked run. A worker's writes name both, so that one that lost its run writes nothing.
create table runs (
  id uuid primary key,
  revision integer not null default 1,
  graph_id uuid, -- no foreign key: a run outlives its graph
  definition json not null,
  ui_state json not null,
  signature text not null,
  forked_signature text not null,
  status text not null check
    (status in ('draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled')),
  error text,
  targets text[] not null default '{}',
  targets_prepared boolean not null default false, -- set for the next start that names none
  credits_consumed double precision not null default 0,
  credits_total double precision not null default 0,
  cancel_requested_at timestamptz(3),
  regenerate text[] not null default '{}',
  seed_run_id uuid,
  pinned_task_id uuid,
  copied_from uuid,
  exported_at timestamptz(3),
  produced_at timestamptz(3),
  generation integer not null default 0,
  lease integer not null default 0,
  deaths integer not null default 0, -- workers lost since the last result was saved
  changes bigint not null default 0, -- counts saves; each state carries the count of its last
  last_edit bigint not null default 0, -- the count of saves at which the definition or the layout was last written
  answers_given integer not null default 0, -- counts answers; a worker parks only if it has seen them all
  worker text,
  queued_at timestamptz(3),
  task_id uuid,
  owner_id uuid not null,
  checkpoint_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  heartbeat_at timestamptz(3),
  deleted_at timestamptz(3)
);
create index runs_busy on runs (status) where status in ('queued', 'running');
create index runs_by_creation on runs (created_at, id);
create index runs_of_graph on runs (graph_id, created_at, id);
create index runs_of_task on runs (task_id, created_at, id) where task_id is not null;
create index runs_due on runs (deleted_at) where deleted_at is not null;

-- One row for a node (`item` empty) and one for each item of a node that runs once per element. An item is its element
-- and its number among equal ones; `position` is for the wire and the eye.
create table run_states (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- of an item
  item_count integer, -- of a node that runs once per element, once its elements are known
  status text not null,
  progress double precision not null default 0,
  outputs json,
  request json, -- what a gate asks
  error text,
  message text,
  credits double precision not null default 0,
  duration_seconds double precision not null default 0,
  checkpoint json,
  cache_key text,
  attempts integer not null default 0,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  generation integer not null default 0, -- of the run, when this was written
  stale boolean not null default false, -- of a node: what it and its items made before waits to be looked at again
  change bigint not null,
  primary key (run_id, node_id, item)
);
create index run_states_changes on run_states (run_id, change);

-- The nonce a re-roll leaves with a node or an item; every later replay returns what the re-roll produced.
create table run_rolls (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- where the item was when it was rolled
  roll text not null,
  primary key (run_id, node_id, item)
);

-- `asked`: hash of the request that was answered; another request makes the answer void.
create table run_answers (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- where the item was when it was answered
  asked text not null,
  answer json not null,
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null,
  primary key (run_id, node_id, item)
);

-- Restorable points of the history of a graph or a run (`subject_id`), as it stood from `at` on.
create table checkpoints (
  subject_id uuid not null,
  at timestamptz(3) not null,
  begun_at timestamptz(3) not null, -- of the first of the layout changes that share it
  kind text not null,
  summary text not null,
  by_user uuid references users,
  by_token uuid references tokens,
  content json not null,
  primary key (subject_id, at)
);

-- Credits: the intent before a paid call, the result after it. One row for a unit of work, whatever happens.
create table credit_entries (
  id uuid primary key, -- the unit, as it is named to the provider
  run_id uuid not null,
  generation integer not null,
  node_id text not null,
  item text not null,
  outcome text not null check (outcome in ('intended', 'charged', 'free', 'unknown')),
  credits double precision not null default 0,
  estimate double precision not null default 0,
  at timestamptz(3) not null default now_ms(),
  settled_at timestamptz(3),
  unique (run_id, generation, node_id, item)
);

-- Outputs by what they were made of, shared by all runs; only of calls that succeeded.
create table node_cache (
  key text primary key,
  type text not null,
  outputs json not null,
  bytes bigint not null, -- of the outputs and of the files they name
  credits double precision not null,
  created_at timestamptz(3) not null default now_ms(),
  used_at timestamptz(3) not null default now_ms()
);
create index node_cache_by_use on node_cache (used_at);

-- Who computes a key now; good while that run still has that lease and beats.
create table cache_claims (
  key text primary key,
  run_id uuid not null,
  lease integer not null
);

-- What keeps files alive besides creatives.
create table file_uses (
  digest text not null references files,
  used_by text not null, -- `graph`, `run` or `cache`
  user_key text not null, -- the id of the graph or run, or the cache key
  primary key (digest, used_by, user_key)
);
create index file_uses_of on file_uses (used_by, user_key);

-- Outputs that were put on a card: the same output on the same task is the same creative.
create table exports (
  run_id uuid not null,
  task_id uuid not null references tasks on delete cascade,
  node_id text not null,
  port text not null,
  item text not null,
  creative_id uuid not null references creatives on delete cascade,
  at timestamptz(3) not null,
  primary key (run_id, task_id, node_id, port, item)
);
create index exports_of_creative on exports (creative_id);
create index exports_of_task on exports (task_id);

-- What made a creative's file; copied at the export, so that it outlives the run.
alter table creatives add column provenance json;
