-- Notices to people. A notice is written in the transaction of the change that it reports.
-- works with: 0.2.0

create table notices (
  id uuid primary key,
  user_id uuid not null references users,
  kind text not null,
  place text not null, -- a key for what it is about; a person has one notice for each kind and place
  task_id uuid references tasks on delete cascade,
  run_id uuid references runs on delete cascade,
  creative_id uuid references creatives on delete cascade,
  comment_id uuid references comments on delete cascade,
  review_comment_id uuid references review_comments on delete cascade,
  by_user uuid references users,
  by_token uuid references tokens,
  by_guest uuid references guests on delete cascade,
  at timestamptz(3) not null default now_ms(),
  read_at timestamptz(3),
  unique (user_id, kind, place)
);
create index notices_of on notices (user_id, at, id);
create index notices_unread on notices (user_id) where read_at is null;
create index notices_by_time on notices (at, id);
create index notices_task on notices (task_id) where task_id is not null;
create index notices_run on notices (run_id) where run_id is not null;
create index notices_creative on notices (creative_id) where creative_id is not null;
create index notices_comment on notices (comment_id) where comment_id is not null;
create index notices_guest on notices (by_guest) where by_guest is not null;
create index notices_review_comment on notices (review_comment_id) where review_comment_id is not null;
