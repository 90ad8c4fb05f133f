-- What the units of a run had come to at a checkpoint are rows: no document has to hold all of them.
-- works with: 0.2.0
-- Of a checkpoint that a newer version has written, 0.2.0 cannot show or restore anything, and says 500; it goes on taking its own.

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
  shown json, -- outputs as readers get them, where that is not as they are
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
