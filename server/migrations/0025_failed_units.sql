-- The end of a run looks for what failed in it, among as many as 10,000 units.
-- works with: 0.2.0

create index run_states_failed on run_states (run_id) where status = 'failed';
