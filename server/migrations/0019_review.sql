-- Versions of the files of creatives, comments on versions, and decisions about versions.
-- works with: 0.2.0
-- Older releases replace a creative's file without adding a version. The trigger adds it then, but without its author.

-- The files that a creative has or had. A creative without rows has had at most one file, which is version 1; the view below makes
-- that version from the columns of `creatives`. The current version is the one with the same `file` as the creative.
create table creative_versions (
  creative_id uuid not null references creatives on delete cascade,
  number integer not null check (number >= 1),
  file text not null references files,
  provenance json, -- how a run made the file; null: no run did, or only `creatives` says how
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  primary key (creative_id, number),
  unique (creative_id, file)
);
create index creative_versions_file on creative_versions (file);

-- All versions, including those that have no row in creative_versions.
create view versions_of_creatives as
  select creative_id, number, file, provenance, by_user, by_token, at from creative_versions
  union all
  select id, 1, file, case when coalesce(provenance ->> 'file', file) = file then provenance end, null, null, created_at
  from creatives
  where file is not null and not exists (select from creative_versions v where v.creative_id = creatives.id);

-- Comments on versions. A comment may refer to a part of the picture, or to a time in the film.
create table review_comments (
  id uuid primary key,
  creative_id uuid not null,
  version integer not null,
  thread_id uuid references review_comments on delete cascade, -- the comment that this one replies to; null: it begins a thread
  text text not null,
  mark json, -- what is marked on the picture; coordinates from 0 to 1
  from_seconds double precision,
  to_seconds double precision,
  visibility text not null check (visibility in ('internal', 'guests')),
  mentions uuid[] not null default '{}',
  by_user uuid references users,
  by_token uuid references tokens,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms(),
  resolved_at timestamptz(3),
  resolved_in integer, -- the version that was current when the comment was resolved
  resolved_by uuid references users,
  foreign key (creative_id, version) references creative_versions on delete cascade
);
create index review_comments_of on review_comments (creative_id, created_at, id);
create index review_comments_thread on review_comments (thread_id) where thread_id is not null;
create index review_comments_version on review_comments (creative_id, version);

-- The reviewers of a task's creatives, and what happens when they have accepted all of them.
create table task_reviews (
  task_id uuid primary key references tasks on delete cascade,
  needs text not null check (needs in ('one', 'all')),
  reviewers uuid[] not null,
  moves_to text -- the task's status once all its creatives are accepted; null: it stays as it is
);

-- People's decisions about versions. In an existing row, only `void_at` is ever changed.
create table review_decisions (
  id uuid primary key,
  creative_id uuid not null,
  version integer not null,
  file text not null,
  decision text not null check (decision in ('accepted', 'changes_wanted')),
  note text not null default '',
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  void_at timestamptz(3), -- when the creative got another file, or the same author decided again
  foreign key (creative_id, version) references creative_versions on delete cascade
);
create index review_decisions_of on review_decisions (creative_id, at, id);
create index review_decisions_version on review_decisions (creative_id, version);

-- The files of versions are also recorded in file_uses, because older releases look only there before they remove a file.
create function keep_creative_versions() returns trigger language plpgsql as $$
begin
  if new.file is not distinct from old.file then return null; end if;
  if old.file is not null then
    insert into creative_versions (creative_id, number, file, provenance, at)
    select old.id, 1, old.file, case when coalesce(old.provenance ->> 'file', old.file) = old.file then old.provenance end,
      old.created_at
    where not exists (select from creative_versions where creative_id = old.id)
    on conflict do nothing;
    insert into file_uses (digest, used_by, user_key) values (old.file, 'creative', old.id::text) on conflict do nothing;
  end if;
  if new.file is not null then
    insert into creative_versions (creative_id, number, file)
    select new.id, coalesce(max(number), 0) + 1, new.file from creative_versions where creative_id = new.id
    on conflict do nothing;
    insert into file_uses (digest, used_by, user_key) values (new.file, 'creative', new.id::text) on conflict do nothing;
  end if;
  update review_decisions set void_at = now_ms() where creative_id = new.id and void_at is null;
  return null;
end $$;
create trigger creatives_versions_kept after update of file on creatives
  for each row execute function keep_creative_versions();

create function drop_version_use() returns trigger language plpgsql as $$
begin
  delete from file_uses where digest = old.file and used_by = 'creative' and user_key = old.creative_id::text;
  return null;
end $$;
create trigger creative_versions_use_dropped after delete on creative_versions
  for each row execute function drop_version_use();
