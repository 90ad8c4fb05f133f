-- Task templates: task briefs that are saved under a name. Older versions neither read nor change this table.
-- works with: 0.2.0

create table task_templates (
  id uuid primary key,
  name text not null constraint task_templates_name unique,
  brief json not null, -- as the request had it: a body of POST /tasks without the name
  by_user uuid references users,
  by_token uuid references tokens,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);
