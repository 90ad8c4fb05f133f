-- For the page of a task, which shows how much money was spent for that task.
-- works with: 0.2.0

create index run_costs_by_task on run_costs (task_id) where task_id is not null;
