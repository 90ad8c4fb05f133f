-- The cost of model calls in money, in addition to credits.
-- works with: 0.2.0

-- Amounts are whole millionths of the currency; null means unknown. A call is expected to cost from `planned_least` to
-- `planned_most`, and has cost `amount`. `counted` is what budgets count: `amount` or, until that is known, `planned_most` (or else
-- `planned_least`).
alter table credit_entries
  add column model text,
  add column currency text,
  add column planned_least bigint,
  add column planned_most bigint,
  add column amount bigint,
  add column amount_by text check (amount_by in ('provider', 'usage', 'price', 'least')),
  add column counted bigint not null default 0;

-- A row for each generation of a run for which money was reserved or counted: whose money it is, and the amounts. A row is kept
-- when its run is purged.
create table run_costs (
  run_id uuid not null,
  generation integer not null,
  graph_id uuid,
  task_id uuid,
  person_id uuid not null, -- who started the generation: a person, or an integration's token
  month text not null, -- the month of the start in UTC, such as 2026-11
  currency text not null,
  max_cost bigint, -- the limit in the request that started it; null: no limit
  reserved bigint not null default 0, -- what budgets reserve for the run while it is in progress
  counted bigint not null default 0, -- the sum of `counted` of its ledger entries
  started_at timestamptz(3) not null default now_ms(),
  primary key (run_id, generation)
);
create index run_costs_by_month on run_costs (month, person_id) include (currency, counted);
create index run_costs_by_person on run_costs (person_id) include (currency, counted);
create index credit_entries_by_time on credit_entries (at) where model is not null;
