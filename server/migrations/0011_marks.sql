-- What files state about how they were made, and people's answers to questions about creatives.
-- works with: 0.2.0
-- Older versions do not read the files that they put on creatives. The trigger records such files, and a job of this version reads
-- them later.

-- A row for each file that is or was on a creative. `read_at` is null until the file has been read.
create table file_marks (
  digest text primary key references files on delete cascade,
  source_type text, -- the strongest digital source type (an IPTC term) in the file; null: none
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

-- People's answers to questions about a creative. An answer is about the file that the creative had then, and does not count for
-- another file.
create table creative_answers (
  creative_id uuid not null references creatives on delete cascade,
  file text not null,
  -- the question: synthetic_performer, deepfake or label; or waiver:<rule> if an admin accepts that a label is missing
  subject text not null,
  value boolean not null,
  reason text,
  by_user uuid references users,
  by_token uuid references tokens,
  at timestamptz(3) not null default now_ms(),
  primary key (creative_id, file, subject)
);
