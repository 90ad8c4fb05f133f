-- The states of a run's units at a checkpoint are stored as rows, because they may be too large for one JSON document.
-- works with: 0.2.0
-- Version 0.2.0 responds with 500 if it is to show or restore a checkpoint that a newer version wrote; it can still write its own.

create table checkpoint_units (
  subject_id uuid not null,
  at timestamptz(3) not null,
  node_id text not null,
  item text not null,
  position integer,
  item_count integer,
  status text not null,
  progress double precision not null,
  outputs json,
  shown json, -- the outputs as responses show them; null: as they are
  shown_bytes integer not null,
  request json,
  error text,
  message text,
  credits double precision not null,
  duration_seconds double precision not null,
  checkpoint json,
  cache_key text,
  attempts integer not null,
  generation integer not null,
  stale boolean not null,
  primary key (subject_id, at, node_id, item),
  foreign key (subject_id, at) references checkpoints on delete cascade on update cascade
);
