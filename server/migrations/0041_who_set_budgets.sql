-- A budget says who set it, and what it was before. Processes of 0.3.0 neither read nor write these columns.
-- works with: 0.3.0

-- `set_by` is the id of a person, or of an integration's token; `amount_before` is the amount that was replaced, null for a new budget.
-- They describe the write at `set_at`. If `updated_at` differs from `set_at`, a process of 0.3.0 has set the budget after that write;
-- it does not record who did.
alter table budgets add column set_by uuid, add column amount_before bigint, add column set_at timestamptz(3);
