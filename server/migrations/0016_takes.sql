-- The results of earlier rolls of a unit are kept as takes, and people may set inputs of single units.
-- works with: 0.2.0
-- In version 0.2.0, a re-roll keeps no take, and a worker ignores inputs that people have set.

-- Takes: results that a re-roll has replaced or that somebody has pinned. Their files are kept as long as the run's other files.
create table run_takes (
  run_id uuid not null references runs on delete cascade,
  node_id text not null,
  item text not null,
  cache_key text not null, -- the hash of what the result was made of, including the roll; identifies the take
  roll text not null,
  inputs json, -- the inputs that people had set when the result was made; null: none
  outputs json not null,
  shown json, -- the outputs as responses show them; null: as they are
  bytes integer not null, -- the size of the outputs
  credits double precision not null, -- what the call cost
  generation integer not null,
  made_at timestamptz(3) not null,
  pinned boolean not null default false,
  chosen_at timestamptz(3),
  primary key (run_id, node_id, item, cache_key)
);

-- Input port → a value that replaces the one from the graph; null: people have set no inputs.
alter table run_rolls add column inputs json;
