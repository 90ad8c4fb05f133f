-- A start looks only at what can have changed, and a checkpoint holds only what has.

alter table runs
  -- The mark of the node types under which all of the run's results were last known to hold; null: look at everything.
  add column types_fingerprint text,
  -- The count of saves at which states were last deleted.
  add column last_deletion bigint not null default 0;

alter table checkpoints
  -- The checkpoint that holds everything, where this one holds what changed since the one before it.
  add column full_at timestamptz(3),
  -- What the next checkpoint compares itself with.
  add column manifest json;
