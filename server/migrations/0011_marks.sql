-- What files say of how they were made, and what people confirm of the creatives that have them.
-- works with: 0.2.0
-- Older versions write creatives without looking at their files: the trigger notes those, and a job of this version reads them.

-- A row for each file that a creative has had. One without `read_at` has not been read yet.
create table file_marks (
  digest text primary key references files on delete cascade,
  source_type text, -- the term of the digital source type that says most, as the file names it
  read_at timestamptz(3)
);
create index file_marks_unread on file_marks (digest) where read_at is null;

insert into file_marks (digest) select distinct file from creatives where file is not null;

create function note_file_of_creative() returns trigger language plpgsql as $$
begin
  insert into file_marks (digest) values (new.file) on conflict do nothing;
  return null;
end $$;
create trigger creatives_file_noted after insert or update of file on creatives
  for each row when (new.file is not null) execute function note_file_of_creative();

-- What somebody said of a creative, about the file it had then: with another file it does not count.
create table creative_answers (
  creative_id uuid not null references creatives on delete cascade,
  file text not null,
  -- synthetic_performer, deepfake or label; waiver:<rule> where an admin lets a missing label pass
  subject text not null,
  value boolean not null,
  reason text,
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  primary key (creative_id, file, subject)
);
