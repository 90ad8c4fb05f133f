-- Task templates: briefs that are kept under a name. An older version does not know them and leaves them alone.
-- works with: 0.2.0

create table task_templates (
  id uuid primary key,
  name text not null constraint task_templates_name unique,
  brief json not null, -- as it was sent: a body of POST /tasks but for the name
  by_user uuid references users,
  by_token uuid references tokens,
  created_at timestamptz(3) not null default now_ms(),
  updated_at timestamptz(3) not null default now_ms()
);
