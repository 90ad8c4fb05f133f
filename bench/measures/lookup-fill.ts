// In charge of the data for measuring the lookup: launched packs of ten creatives each, on existing tasks.
import type { Sql } from '../data.ts'

export const creativesEach = 10

/** The names and ad_ids by which the lookup finds creatives: the name of a creative, and the ad_id of a pack. */
export const nameOf = (pack: number, creative: number): string => `Launched_P${pack}_${creative}`
export const adIdOf = (pack: number): string => `23852${String(pack).padStart(13, '0')}`

/**
 * Adds a launched pack of creatives to each of `packs` tasks that are not deleted. Each pack and each creative has a launch with an
 * ad_id of its own.
 */
export async function fillLaunches(sql: Sql, packs: number): Promise<void> {
  const numbers = `select row_number() over (order by id) as p, * from tasks where deleted_at is null order by id limit ${packs}`
  await sql(`
    insert into creatives (id, task_id, name, variation_num, completed, done, ad_id, launched_at, test_status,
      rolled_up_at, locale, geo, subject, topic, subtopics, audience, awareness_stage, messaging_angle, hook_type,
      ad_format, tags, traffic_flow, landing, created_at)
    select gen_random_uuid(), t.id, 'Launched_P' || t.p || '_' || k, 1, true, true, '24' || lpad((t.p * 100 + k)::text, 16, '0'),
      t.created_at, 'in_test', now_ms(), t.language, t.geo, t.subject, t.topic, array[t.topic], t.audience,
      t.awareness_stage, t.messaging_angle, t.hook_type, t.ad_format, array['hook', t.ad_format], t.traffic_flow,
      jsonb_build_object('url', 'https://example.com/' || t.number, 'variant', k), t.created_at
    from (${numbers}) as t, generate_series(1, ${creativesEach}) as k order by t.p, k`)
  await sql(`
    insert into launches (id, ad_id, launched_at, creative_id, name)
    select gen_random_uuid(), ad_id, launched_at, id, name from creatives where name like 'Launched\\_P%'`)
  await sql(`
    insert into launches (id, ad_id, launched_at, task_id)
    select gen_random_uuid(), '23852' || lpad(t.p::text, 13, '0'), t.created_at, t.id from (${numbers}) as t`)
  await sql('vacuum analyze creatives')
  await sql('vacuum analyze launches')
}
