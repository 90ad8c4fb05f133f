-- A start checks only results that may be outdated, and a checkpoint contains only what has changed since the one before it.

alter table runs
  -- A hash of the node types with which all results of the run were last found valid; null: the next start checks all results.
  add column types_fingerprint text,
  -- The value of `changes` at the last save that deleted units.
  add column last_deletion bigint not null default 0;

alter table checkpoints
  -- For a checkpoint that contains only changes: the `at` of the full checkpoint that it is based on. Null for a full checkpoint.
  add column full_at timestamptz(3),
  -- A summary of the state at this checkpoint, from which the next checkpoint finds what has changed.
  add column manifest json;
