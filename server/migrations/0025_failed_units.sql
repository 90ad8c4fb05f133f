-- When a run ends, its failed units are read. This index finds them among up to 10,000 units of a run.
-- works with: 0.2.0

create index run_states_failed on run_states (run_id) where status = 'failed';
