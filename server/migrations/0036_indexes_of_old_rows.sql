-- Indexes for periodic jobs that delete old rows. Without them, each of these jobs reads all rows to find the old ones; the job for
-- loose files does so again for each file that it deletes.
-- works with: 0.2.0

create index if not exists deliveries_waiting_by_time on deliveries (at) where message_id is null;
create index if not exists loose_files_by_time on loose_files (loose_since);
