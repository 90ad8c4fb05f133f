-- Notices about graphs: `words` is what they say beside their sentence.
-- works with: 0.2.0

alter table notices
  add column graph_id uuid references graphs on delete cascade,
  add column words text;
create index notices_graph on notices (graph_id) where graph_id is not null;
