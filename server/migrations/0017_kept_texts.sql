-- Texts that are read often are stored. When a row changes, the database rebuilds the text that is made from it, in the same
-- transaction.
-- works with: 0.2.0
-- The texts also stay up to date when older versions write, because triggers rebuild them.
-- server/src/platform/kept-texts.ts generates the SQL of the functions and triggers for texts; a test compares it with this file.

-- The card of each task as JSON text, and in `named` the ids of the people and the product on it. If a task has no row, its card is
-- built when it is read.
create table task_cards (
  task_id uuid primary key,
  text text not null,
  named text not null
);
-- Texts of up to 8 KB are neither compressed nor moved out of the row, because a page of the board reads two dozen of them.
alter table task_cards set (toast_tuple_target = 8160);

create function keep_task_cards() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not (row(old.id, old.name, old.number, old.generated_name, old.status, old.test_status, old.task_type, old.work_stream, old.product_id, old.media_type, old.source, old.creation_complexity, old.execution_complexity, old.priority, old.assignee_id, old.task_owner_id, old.deadline_at, old.manual_launch, old.launched_at, old.count, old.resolution, old.geo, old.language, old.varied_elements, old.subject, old.topic, old.primary_anchor, old.audience, old.awareness_stage, old.messaging_angle, old.hook_trigger, old.hook_type, old.ad_format, old.traffic_flow, old.started_at, old.submitted_at, old.completed_at, old.comment_count, old.creatives_total, old.creatives_done, old.creation_points, old.execution_points, old.automation_state, old.automation_error, old.automation_started_at, old.created_at, old.updated_at, old.deleted_at)::record
      *<> row(new.id, new.name, new.number, new.generated_name, new.status, new.test_status, new.task_type, new.work_stream, new.product_id, new.media_type, new.source, new.creation_complexity, new.execution_complexity, new.priority, new.assignee_id, new.task_owner_id, new.deadline_at, new.manual_launch, new.launched_at, new.count, new.resolution, new.geo, new.language, new.varied_elements, new.subject, new.topic, new.primary_anchor, new.audience, new.awareness_stage, new.messaging_angle, new.hook_trigger, new.hook_type, new.ad_format, new.traffic_flow, new.started_at, new.submitted_at, new.completed_at, new.comment_count, new.creatives_total, new.creatives_done, new.creation_points, new.execution_points, new.automation_state, new.automation_error, new.automation_started_at, new.created_at, new.updated_at, new.deleted_at)::record) then return null; end if;
  end if;
  if tg_op = 'DELETE' then
    delete from task_cards where task_id = old.id;
  else
    insert into task_cards (task_id, text, named)
    select t.id, (select row_to_json(card)::text from (select t.id, t.name, t.number, t.generated_name, t.status, t.test_status, t.task_type, t.work_stream, t.product_id, t.media_type, t.source, t.creation_complexity, t.execution_complexity, t.priority, t.assignee_id, t.task_owner_id, iso(t.deadline_at) as deadline_at, t.manual_launch, iso(t.launched_at) as launched_at, t.count, t.resolution, t.geo, t.language, t.varied_elements, t.subject, t.topic, t.primary_anchor, t.audience, t.awareness_stage, t.messaging_angle, t.hook_trigger, t.hook_type, t.ad_format, t.traffic_flow, iso(t.started_at) as started_at, iso(t.submitted_at) as submitted_at, iso(t.completed_at) as completed_at, t.comment_count, t.creatives_total, t.creatives_done, t.creation_points, t.execution_points, json_build_object('state', t.automation_state, 'error', t.automation_error,
    'started_at', iso(t.automation_started_at)) as automation, iso(t.created_at) as created_at, iso(t.updated_at) as updated_at, iso(t.deleted_at) as deleted_at) as card), concat(t.assignee_id, ',', t.task_owner_id, ',', t.product_id)
    from tasks t where t.id = new.id and true
    on conflict (task_id) do update set text = excluded.text, named = excluded.named;
  end if;
  return null;
end $$;

create trigger task_cards_insert after insert on tasks for each row execute function keep_task_cards();

create trigger task_cards_update after update on tasks for each row execute function keep_task_cards();

create trigger task_cards_delete after delete on tasks for each row execute function keep_task_cards();

-- What the lookup returns for a creative, apart from members of its task and people. Null: the text is built when it is read.
alter table creatives add column lookup_text text;

create function keep_lookup_text() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if not (row(old.id, old.name, old.ad_id, old.locale, old.geo, old.subject, old.topic, old.subtopics, old.primary_anchor, old.audience, old.awareness_stage, old.messaging_angle, old.hook_trigger, old.hook_type, old.ad_format, old.tags, old.traffic_flow, old.landing, old.funnel, old.cpp, old.created_at, old.rolled_up_at)::record
      *<> row(new.id, new.name, new.ad_id, new.locale, new.geo, new.subject, new.topic, new.subtopics, new.primary_anchor, new.audience, new.awareness_stage, new.messaging_angle, new.hook_trigger, new.hook_type, new.ad_format, new.tags, new.traffic_flow, new.landing, new.funnel, new.cpp, new.created_at, new.rolled_up_at)::record) then return new; end if;
  end if;
  new.lookup_text := (select case when c.rolled_up_at is not null then (select left(row_to_json(ref)::text, -1) from (
    select c.id, c.name, c.ad_id, c.locale, c.geo, c.subject, c.topic, c.subtopics, c.primary_anchor, c.audience, c.awareness_stage, c.messaging_angle, c.hook_trigger, c.hook_type, c.ad_format, c.tags, c.traffic_flow, c.landing, c.funnel, c.cpp, iso(c.created_at) as created_at) as ref) end from (select new.*) as c);
  return new;
end $$;

create trigger creatives_lookup_text_insert before insert on creatives for each row execute function keep_lookup_text();

create trigger creatives_lookup_text_update before update on creatives for each row execute function keep_lookup_text();

-- The sum of `changes` is how often the names of people and products, and people's email addresses and pictures, have changed.
-- Processes cache these members, and read them again if the sum has changed.
create table directory_changes (
  id bigint generated always as identity primary key,
  changes bigint not null
);
create function count_directory_change() returns trigger language plpgsql as $$
begin
  insert into directory_changes (changes) values (1);
  return null;
end $$;
create trigger users_shown_otherwise after update of name, email, image_url on users for each row
  when (old.name is distinct from new.name or old.email is distinct from new.email or old.image_url is distinct from new.image_url)
  execute function count_directory_change();
create trigger products_shown_otherwise after update of name on products for each row
  when (old.name is distinct from new.name)
  execute function count_directory_change();
