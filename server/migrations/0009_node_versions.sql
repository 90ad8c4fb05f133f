-- Workers say which node types they have, so that a run finds one that has all it needs while versions of the product
-- work side by side.
-- works with: no older version
-- Older ones leave out a node whose type they do not have, and call what follows without its input.

-- Processes that work on runs, as long as they live and a while longer.
create table workers (
  id uuid primary key,
  name text not null,
  has text[] not null, -- type@version
  seen_at timestamptz(3) not null
);

-- Queued runs whose wake-up reached a worker without all of their node types. They have no wake-up from then on:
-- workers that have the types take them from here. A row counts while the run is queued under its lease.
create table stranded_runs (
  run_id uuid primary key references runs (id) on delete cascade,
  lease integer not null,
  needs text[] not null, -- type@version
  since timestamptz(3) not null
);
