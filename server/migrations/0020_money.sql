-- What calls of models cost in money, beside credits.
-- works with: 0.2.0

-- Amounts are whole millionths of the currency. `planned_most` and `amount` are null where nobody can say; `counted` is what
-- budgets count for the entry: the most of it while nobody knows more, then what it cost.
alter table credit_entries
  add column model text,
  add column currency text,
  add column planned_least bigint,
  add column planned_most bigint,
  add column amount bigint,
  add column amount_by text check (amount_by in ('provider', 'usage', 'price', 'least')),
  add column counted bigint not null default 0;

-- One for each generation of a run that paid somebody: whose money it is, and what budgets count. Stays when the run is purged.
create table run_costs (
  run_id uuid not null,
  generation integer not null,
  graph_id uuid,
  task_id uuid,
  person_id uuid not null, -- who started it: a person, or the token of an integration
  month text not null, -- of its start, in UTC: 2026-11
  currency text not null,
  max_cost bigint, -- what whoever started it allows at most
  reserved bigint not null default 0, -- what budgets hold for it while it is under way
  counted bigint not null default 0, -- the sum of its entries
  started_at timestamptz(3) not null default now_ms(),
  primary key (run_id, generation)
);
create index run_costs_by_month on run_costs (month, person_id) include (currency, counted);
create index run_costs_by_person on run_costs (person_id) include (currency, counted);
create index credit_entries_by_time on credit_entries (at) where model is not null;
