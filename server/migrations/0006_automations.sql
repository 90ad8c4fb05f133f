-- Automations, which start a run when a task enters a status; and the automations that have started and not ended.

create table automations (
  id uuid primary key,
  name text not null,
  enabled boolean not null,
  on_status task_status not null,
  query json, -- the filter of tasks, as the request had it; null: all tasks
  graph_id uuid not null, -- no foreign key: if the graph is purged, the next task's card shows an error
  targets text[] not null,
  outputs json not null,
  to_status task_status,
  owner_id uuid not null, -- a person, or the token of an integration
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);
create index automations_on_status on automations (on_status, created_at, id) where enabled;

-- A row for each task whose automation has started and not ended. The row has a copy of the automation's settings, so that a change
-- of the automation applies only to tasks that enter the status later. Whoever writes or deletes a row has locked the task.
create table live_automations (
  task_id uuid primary key references tasks on delete cascade,
  run_id uuid not null unique, -- no foreign key: the run may be purged while this row exists
  automation_id uuid not null,
  name text not null,
  outputs json not null,
  to_status task_status,
  owner_id uuid not null,
  entered_at timestamptz(3) not null -- the task's `status_entered_at` at the start; another value now: the task was moved
);

-- The name of the automation that acted for `by_user` or `by_token`; null if no automation did.
alter table activity add column by_automation text;
