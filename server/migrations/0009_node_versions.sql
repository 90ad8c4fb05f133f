-- Each worker lists its node types. So while workers of several versions of the product are running, a run is executed by a worker
-- that has all of the run's node types.
-- works with: no older version
-- An older version skips a node whose type it does not have, and calls the nodes after it without the outputs of that node.

-- Processes that execute runs, with their node types (`has`). The row of a process that died is removed some time later.
create table workers (
  id uuid primary key,
  name text not null,
  has text[] not null, -- each entry has the form `type@version`
  seen_at timestamptz(3) not null
);

-- Queued runs whose wake-up was received by a worker that lacks some of their node types. No further wake-up is sent for such runs;
-- a worker that has all types of a run finds the run here. A row is valid only while its run is queued and still has the lease
-- number in the row.
create table stranded_runs (
  run_id uuid primary key references runs (id) on delete cascade,
  lease integer not null,
  needs text[] not null, -- the node types of the run, each in the form `type@version`
  since timestamptz(3) not null
);
