-- Indexes for the lists of runs by task, person and status, and for what runs in progress have reserved. Without them, each of these
-- reads all runs. Most runs have succeeded, and a list of these finds enough among the newest.
-- works with: 0.2.0

create index if not exists runs_of_pinned_task on runs (pinned_task_id, created_at, id) where pinned_task_id is not null;
create index if not exists runs_of_owner on runs (owner_id, created_at, id);
create index if not exists runs_of_status on runs (status, created_at, id) where status <> 'succeeded';
