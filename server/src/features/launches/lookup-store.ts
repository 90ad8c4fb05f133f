// In charge of the lookup's reads: launches, creatives, packs, people. One statement each, however large the batch; none
// where there is nothing to read.
import type { Database } from '../../platform/db.ts'

/**
 * A creative a handle resolved to; `text` is its CreativeRef as JSON text without the members that come from pack and
 * people. A row as it was read: a batch has thousands, and an object of each would be one more for every one of them.
 */
export type Found = readonly [
  id: string,
  name: string,
  taskId: string,
  assigneeId: string | null,
  ownerId: string | null,
  text: string,
]

/**
 * Which live creatives each asked ad_id was ever launched under, by themselves or by their pack, the latest launch or not;
 * oldest first. One row for each ad_id, its ids as one text: reading a row for each creative takes longer than all else.
 */
export async function readLaunched(database: Database, adIds: readonly string[]): Promise<Map<string, string[]>> {
  if (adIds.length === 0) return new Map()
  const rows = await database.read({ name: 'lookup_launches', text: launchedSql }, [adIds])
  return new Map(rows.map(([adId, ids]) => [String(adId), String(ids).split(',')]))
}

/** Creatives that the ad_ids of a batch resolve to, at most: about a kilobyte each. */
export const mostCreatives = 50_000

const launchedSql = `
  select ad_id, string_agg(id::text, ',' order by created_at, id)
  from (
    select l.ad_id, c.id, c.created_at from launches l join creatives c on c.id = l.creative_id
    where l.ad_id = any($1::text[]) and c.deleted_at is null
    union
    select l.ad_id, c.id, c.created_at from launches l join creatives c on c.task_id = l.task_id
    where l.ad_id = any($1::text[]) and c.deleted_at is null
    limit ${mostCreatives + 1}
  ) as launched
  group by ad_id`

/**
 * Live creatives by name or id. One from before the rollup has its attributes from its pack, as a whole: the view
 * computes for it what the rollup would have stored.
 *
 * JSON is made by the database, a text for each creative. Over 5,000 of them (the fastest of 15 runs), row_to_json took
 * 171 ms, reading rows and writing them with JSON.stringify 272, grouping by ad_id with json_agg 217; and grouped, each
 * text would be made again for every ad_id that has it.
 */
export async function readCreatives(
  database: Database,
  names: readonly string[],
  ids: readonly string[],
): Promise<Found[]> {
  if (names.length === 0 && ids.length === 0) return []
  const rows = await database.read({ name: 'lookup_creatives', text: creativesSql }, [names, ids])
  return rows as Found[] // the statement's columns
}

const rolled = [
  'locale',
  'geo',
  'subject',
  'topic',
  'subtopics',
  'primary_anchor',
  'audience',
  'awareness_stage',
  'messaging_angle',
  'hook_trigger',
  'hook_type',
  'ad_format',
  'tags',
  'traffic_flow',
  'landing',
  'funnel',
  'cpp',
]
const from = (alias: string) => rolled.map((member) => `${alias}.${member}`).join(', ')
const refOf = (alias: string) =>
  `select row_to_json(ref)::text from (select c.id, c.name, c.ad_id, ${from(alias)}, iso(c.created_at) as created_at) as ref`

const creativesSql = `
  select c.id, c.name, c.task_id, c.assignee_id, c.task_owner_id,
    case when c.rolled_up_at is not null then (${refOf('c')})
    else (select (${refOf('r')}) from creative_rollup r where r.id = c.id) end
  from creatives c
  where (c.name = any($1::text[]) or c.id = any($2::uuid[])) and c.deleted_at is null`

/** What packs supply: varied elements, and the people of creatives that name none. */
export type Pack = { variedElements: string; assigneeId: string | null; ownerId: string | null }

export async function readPacks(database: Database, taskIds: readonly string[]): Promise<Map<string, Pack>> {
  if (taskIds.length === 0) return new Map()
  const rows = await database.read(
    {
      name: 'lookup_packs',
      text: `select id, to_json(varied_elements)::text, assignee_id, task_owner_id from tasks where id = any($1::uuid[])`,
    },
    [taskIds],
  )
  return new Map(
    rows.map(([id, variedElements, assigneeId, ownerId]) => [
      String(id),
      {
        variedElements: String(variedElements),
        assigneeId: typeof assigneeId === 'string' ? assigneeId : null,
        ownerId: typeof ownerId === 'string' ? ownerId : null,
      },
    ]),
  )
}

/** Names of people, former ones too. */
export async function readNames(database: Database, ids: readonly string[]): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map()
  const rows = await database.read(
    { name: 'lookup_people', text: 'select id, name from users where id = any($1::uuid[])' },
    [ids],
  )
  return new Map(rows.map(([id, name]) => [String(id), typeof name === 'string' ? name : null]))
}
