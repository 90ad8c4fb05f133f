-- Budgets in money, and admins' approvals of starts that may cost much.
-- works with: 0.2.0

create table budgets (
  id uuid primary key,
  person_id uuid, -- the person or integration's token whose budget it is; null: the whole workspace
  period text not null check (period in ('month', 'always')),
  amount bigint not null check (amount >= 0),
  currency text not null,
  updated_at timestamptz(3) not null default now_ms()
);
create unique index budgets_once on budgets (coalesce(person_id, '00000000-0000-0000-0000-000000000000'), period, currency);

-- At most one row. A start that may cost more than `approval_above` (in millionths) needs an approval; null: no start needs one.
create table money_settings (
  only_row boolean primary key default true check (only_row),
  approval_above bigint check (approval_above >= 0)
);

-- Approvals of starts. Whoever wants to start a run requests an approval. It permits one start, and only if the run and the plan of
-- the start are still the same as at the request.
create table approvals (
  id uuid primary key,
  run_id uuid not null references runs on delete cascade,
  digest text not null, -- a hash of the run's definition and generation, the start request and the plan
  body json not null,
  most bigint not null,
  currency text not null,
  asked_by uuid not null,
  asked_at timestamptz(3) not null default now_ms(),
  approved boolean,
  decided_by uuid,
  decided_at timestamptz(3),
  used_at timestamptz(3),
  unique (run_id, digest)
);
create index approvals_by_time on approvals (asked_at desc, id desc);

-- Whether the cost was checked at the start, and money reserved. False if an automation started the run, for example.
alter table run_costs add column is_cleared boolean not null default false;
