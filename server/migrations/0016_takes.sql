-- What earlier rolls of a unit gave is kept with its run, and a unit may have inputs of its own.
-- works with: 0.2.0
-- A re-roll in 0.2.0 keeps no take, and a worker of 0.2.0 calls a unit without its own inputs.

-- A result that a re-roll has replaced, or that somebody has pinned. Its files stay with those of the run.
create table run_takes (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  cache_key text not null, -- what it was made of, its roll among it: the name of the take
  roll text not null,
  inputs json, -- of its own, that it was made with
  outputs json not null,
  shown json, -- outputs as readers get them, where that is not as they are
  bytes integer not null, -- of the outputs
  credits double precision not null, -- what making it cost
  generation integer not null,
  made_at timestamptz(3) not null,
  pinned boolean not null default false,
  chosen_at timestamptz(3),
  primary key (run_id, node_id, item, cache_key)
);

-- Input port → value, in place of what the graph gives there.
alter table run_rolls add column inputs json;
