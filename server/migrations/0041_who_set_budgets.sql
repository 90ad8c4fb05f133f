-- A budget says who set it, and what it was before. Processes of 0.3.0 neither read nor write these columns.
-- works with: 0.3.0

-- `set_by` is the person, or the token of an integration, and `amount_before` the amount that was replaced, null for a new budget. Both
-- are of the write at `set_at`. Where `updated_at` is another time, an older version has set the budget since, and nobody knows who.
alter table budgets add column set_by uuid, add column amount_before bigint, add column set_at timestamptz(3);
