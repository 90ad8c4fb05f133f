-- Automations: what happens by itself when a task enters a status, and what of it is under way.

create table automations (
  id uuid primary key,
  name text not null,
  enabled boolean not null,
  on_status task_status not null,
  query json, -- the rule group as it was sent; null: every task
  graph_id uuid not null, -- no foreign key: a graph may go, and the card of the next task then says so
  targets text[] not null,
  outputs json not null,
  to_status task_status,
  owner_id uuid not null, -- a person, or the token of an integration
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);
create index automations_on_status on automations (on_status, created_at, id) where enabled;

-- One row for a task whose automation has not ended: from the move that started it until the card tells its end. It
-- holds what was asked then, so that a change of the automation is for later tasks. Who writes or removes it has the
-- task locked.
create table live_automations (
  task_id uuid primary key references tasks on delete cascade,
  run_id uuid not null unique, -- no foreign key: a run may be purged under it
  automation_id uuid not null,
  name text not null,
  outputs json not null,
  to_status task_status,
  owner_id uuid not null,
  entered_at timestamptz(3) not null -- when the task came to where it stood then; another time: somebody moved it
);

-- The automation that did it, in the name of `by_user` or `by_token`.
alter table activity add column by_automation text;
