-- Notices about graphs. `words` is a text that the app shows below the sentence of such a notice.
-- works with: 0.2.0

alter table notices
  add column graph_id uuid references graphs on delete cascade,
  add column words text;
create index notices_graph on notices (graph_id) where graph_id is not null;
