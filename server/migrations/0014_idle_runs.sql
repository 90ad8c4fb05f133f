-- A lost worker counts against the runs that it had something of under way.
-- works with: 0.2.0

-- The lease under which the worker of the run has said that all it has begun of it waits for a provider, or for its turn.
alter table runs add column idle_lease integer;
