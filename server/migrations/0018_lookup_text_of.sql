-- Builds the lookup's text of a creative for which no text is stored.
-- works with: 0.2.0
-- server/src/features/tasks/launches/lookup-text.ts generates this function; a test compares it with this file.

create function lookup_text_of(creative uuid) returns text language sql stable as $$
  select case when c.rolled_up_at is not null then (select left(row_to_json(ref)::text, -1) from (
    select c.id, c.name, c.ad_id, c.locale, c.geo, c.subject, c.topic, c.subtopics, c.primary_anchor, c.audience, c.awareness_stage, c.messaging_angle, c.hook_trigger, c.hook_type, c.ad_format, c.tags, c.traffic_flow, c.landing, c.funnel, c.cpp, iso(c.created_at) as created_at) as ref)
    else (select (select left(row_to_json(ref)::text, -1) from (
    select c.id, c.name, c.ad_id, r.locale, r.geo, r.subject, r.topic, r.subtopics, r.primary_anchor, r.audience, r.awareness_stage, r.messaging_angle, r.hook_trigger, r.hook_type, r.ad_format, r.tags, r.traffic_flow, r.landing, r.funnel, r.cpp, iso(c.created_at) as created_at) as ref) from creative_rollup r where r.id = c.id) end
  from creatives c where c.id = creative
$$;
