-- works with: 0.3.0
-- Budgets that were ended: what they were, who ended them, and when. A table of their own, since processes of 0.3.0 hold starts to every
-- row of `budgets`. Such a process writes nothing here: of a budget that it ends, nobody says who did.

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
