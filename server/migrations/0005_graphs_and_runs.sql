-- Graphs, runs, and the data of runs: states of units, rolls, answers, checkpoints, the ledger of paid calls, the node cache.

-- Definitions are `json`, because `jsonb` would change the order of their members.
create table graphs (
  id uuid primary key,
  revision integer not null default 1,
  name text not null,
  name_folded text not null default '', -- `name`, case-folded; searches look for their term in it
  description text not null default '',
  definition json not null,
  node_count integer not null default 0, -- stored, so that lists of graphs do not read definitions
  ui_state json not null,
  signature text not null, -- hash of the definition
  forked_from uuid,
  template boolean not null default false,
  owner_id uuid not null, -- a person, or the token of an integration
  checkpoint_at timestamptz(3) not null, -- the `at` of the graph's newest checkpoint
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create index graphs_by_update on graphs (updated_at, id);
create index graphs_due on graphs (deleted_at) where deleted_at is not null;

-- The state of each run. `generation` increases with every start, re-roll and restore; `lease` also increases with every claim by a
-- worker, and whenever earlier claims must become invalid (see server/src/engine/transitions/states.ts). A worker's save is refused
-- if generation or lease have changed since the worker's claim.
create table runs (
  id uuid primary key,
  revision integer not null default 1,
  graph_id uuid, -- no foreign key: a run is kept after its graph was purged
  definition json not null,
  ui_state json not null,
  signature text not null,
  forked_signature text not null,
  status text not null check
    (status in ('draft', 'queued', 'running', 'awaiting_input', 'succeeded', 'failed', 'cancelled')),
  error text,
  targets text[] not null default '{}',
  targets_prepared boolean not null default false, -- whether a start whose request names no targets uses `targets`
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
  deaths integer not null default 0, -- how many workers of this run were lost since a result was last saved
  changes bigint not null default 0, -- counts the saves; `run_states.change` has the count at which a unit was last saved
  last_edit bigint not null default 0, -- the value of `changes` when the definition or the layout was last written
  answers_given integer not null default 0, -- counts answers to gates; a worker parks the run only after it has read all of them
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

-- The states of a run's units: a row for each node (`item` is empty), and a row for each item of a node that runs once per element.
-- `item` is made of the hash of the item's element and a number that distinguishes equal elements, so it stays the same when the
-- list is sorted; responses identify items by `position`.
create table run_states (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- the item's index in the list of elements; null for a node
  item_count integer, -- how many items a node has; null while unknown, and for units without items
  status text not null,
  progress double precision not null default 0,
  outputs json,
  request json, -- the question that a gate asks; null for other units
  error text,
  message text,
  credits double precision not null default 0,
  duration_seconds double precision not null default 0,
  checkpoint json,
  cache_key text,
  attempts integer not null default 0,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  generation integer not null default 0, -- the run's generation when this row was written
  stale boolean not null default false, -- whether earlier results of this node and of its items must be checked again
  change bigint not null,
  primary key (run_id, node_id, item)
);
create index run_states_changes on run_states (run_id, change);

-- The random text (`roll`) that a re-roll sets for a node or an item. It is part of the cache key of the call, so later starts find
-- the result of the re-roll.
create table run_rolls (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- the item's position at the re-roll; null for a node
  roll text not null,
  primary key (run_id, node_id, item)
);

-- Answers to gates. `asked` is the hash of the question that was answered; if the gate asks another question, the answer is unused.
create table run_answers (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  position integer, -- the item's position when it was answered; null for a node
  asked text not null,
  answer json not null,
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null,
  primary key (run_id, node_id, item)
);

-- Points in the history of a graph or a run (its id is `subject_id`) that can be restored. A checkpoint contains the state of the
-- graph or run from the time `at` until its next checkpoint.
create table checkpoints (
  subject_id uuid not null,
  at timestamptz(3) not null,
  begun_at timestamptz(3) not null, -- `at`, or for a checkpoint of several layout changes, the time of the first change
  kind text not null,
  summary text not null,
  by_user uuid references users,
  by_token uuid references tokens,
  content json not null,
  primary key (subject_id, at)
);

-- The ledger of paid calls. An entry is written as `intended` before a call, and gets another outcome after it. However often the
-- call of a unit is attempted, the unit has at most one entry in each generation.
create table credit_entries (
  id uuid primary key, -- the idempotency key of the call, which the provider gets
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

-- The outputs of successful calls, for reuse by all runs. `key` is a hash of everything that the outputs depend on.
create table node_cache (
  key text primary key,
  type text not null,
  outputs json not null,
  bytes bigint not null, -- the size of the outputs as JSON and of the files in them
  credits double precision not null,
  created_at timestamptz(3) not null default now_ms(),
  used_at timestamptz(3) not null default now_ms()
);
create index node_cache_by_use on node_cache (used_at);

-- The run that is computing the outputs for a cache key, so that no other run does. A claim is valid only while the run is running
-- and still has this lease number.
create table cache_claims (
  key text primary key,
  run_id uuid not null,
  lease integer not null
);

-- Which files are in use, apart from those of creatives. A purge removes no file that is in use.
create table file_uses (
  digest text not null references files,
  used_by text not null, -- `graph`, `run` or `cache`; from migration 0019 on also `creative`
  user_key text not null, -- the id of the graph, run or creative, or the cache key
  primary key (digest, used_by, user_key)
);
create index file_uses_of on file_uses (used_by, user_key);

-- The creatives that were made from outputs of runs. If an output is exported to the same task again, it keeps its creative.
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

-- How a run made the creative's file. It is copied from the run at the export, so that it is kept when the run is purged.
alter table creatives add column provenance json;
