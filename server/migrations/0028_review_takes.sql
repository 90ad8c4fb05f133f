-- New takes of pictures, which people request because of a comment in a review.
-- works with: 0.2.0

create table review_takes (
  id uuid primary key,
  comment_id uuid not null references review_comments on delete cascade,
  creative_id uuid not null references creatives on delete cascade,
  run_id uuid references runs on delete set null, -- the run that makes the take; null after that run was purged
  node_id text not null, -- `node_id`, `port` and `item` say which output of the run the take is
  port text not null,
  item integer,
  state text not null check (state in ('under_way', 'proposed', 'used', 'dismissed', 'failed')),
  version integer, -- the number of the version with the new picture; null: there is none (yet)
  error text, -- why there is no new picture; null if the take did not fail
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  ended_at timestamptz(3), -- when it was proposed or failed; null until then
  foreign key (creative_id, version) references creative_versions on delete cascade
);
-- A comment has at most one open take. If two people request one at the same time, both get the same take.
create unique index review_takes_open on review_takes (comment_id) where state in ('under_way', 'proposed');
create index review_takes_of on review_takes (comment_id, at desc, id desc);
create index review_takes_under_way on review_takes (at, id) where state = 'under_way';
create index review_takes_version on review_takes (creative_id, version);
create index review_takes_run on review_takes (run_id);
