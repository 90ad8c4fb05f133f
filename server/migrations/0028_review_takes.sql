-- New takes of pictures, made because of a comment, and what became of each.
-- works with: 0.2.0

create table review_takes (
  id uuid primary key,
  comment_id uuid not null references review_comments on delete cascade,
  creative_id uuid not null references creatives on delete cascade,
  run_id uuid references runs on delete set null, -- the one that was started; null once it is purged
  node_id text not null, -- whose file it brings
  port text not null,
  item integer,
  state text not null check (state in ('under_way', 'proposed', 'used', 'dismissed', 'failed')),
  version integer, -- the version that it brought
  error text, -- why it brought none
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  ended_at timestamptz(3), -- when it was proposed or failed
  foreign key (creative_id, version) references creative_versions on delete cascade
);
-- One at a time: two people who ask at once get the same.
create unique index review_takes_open on review_takes (comment_id) where state in ('under_way', 'proposed');
create index review_takes_of on review_takes (comment_id, at desc, id desc);
create index review_takes_under_way on review_takes (at, id) where state = 'under_way';
create index review_takes_version on review_takes (creative_id, version);
create index review_takes_run on review_takes (run_id);
