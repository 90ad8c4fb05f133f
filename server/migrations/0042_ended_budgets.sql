-- works with: 0.3.0
-- Budgets that were ended: what they were, who ended them, and when. They have a table of their own, because a process of 0.3.0 refuses
-- starts that exceed any row of `budgets`. When such a process ends a budget, it adds no row here.

create table ended_budgets (
  id uuid primary key, -- that of the row in `budgets`
  person_id uuid, -- as in `budgets`
  period text not null,
  amount bigint not null,
  currency text not null,
  ended_by uuid, -- a person, or an integration's token
  ended_at timestamptz(3) not null default now_ms()
);
create index ended_budgets_by_time on ended_budgets (currency, ended_at desc, id desc);
