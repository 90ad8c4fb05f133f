-- Budgets in money, and starts that an admin approves.
-- works with: 0.2.0

create table budgets (
  id uuid primary key,
  person_id uuid, -- a person, or the token of an integration; null: the whole workspace
  period text not null check (period in ('month', 'always')),
  amount bigint not null check (amount >= 0),
  currency text not null,
  updated_at timestamptz(3) not null default now_ms()
);
create unique index budgets_once on budgets (coalesce(person_id, '00000000-0000-0000-0000-000000000000'), period, currency);

-- One row. A start that may cost more than `approval_above` needs an approval; null: none does.
create table money_settings (
  only_row boolean primary key default true check (only_row),
  approval_above bigint check (approval_above >= 0)
);

-- Asked for by whoever would start; good for one start with the same plan.
create table approvals (
  id uuid primary key,
  run_id uuid not null references runs on delete cascade,
  digest text not null, -- of the run as it stood, of what was asked and of its plan in money
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

-- Whether a start with a look at its plan began it; an automation's did not.
alter table run_costs add column is_cleared boolean not null default false;
