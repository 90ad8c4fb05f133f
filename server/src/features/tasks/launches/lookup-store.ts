// In charge of the SQL for the lookup: launches, whole packs, and single creatives, with the texts that the database stores for
// creatives. Each read is one statement for the whole batch, or no statement if there is nothing to read.
import { CompiledQuery } from 'kysely'
import { type Database, type Db, kept } from '../../../platform/db.ts'
import { directoryVersion } from '../../../platform/directory.ts'
import { anyOf } from '../../../platform/rows.ts'
import { refText } from './lookup-text.ts'

/**
 * The last part of a CreativeRef, which is not in the stored text: the varied elements of the pack as JSON, and the ids of owner
 * and assignee. A creative without an owner or assignee of its own has that of its pack; null if the pack has none either.
 */
export type Ending = { variedElements: string; ownerId: string | null; assigneeId: string | null }

/**
 * What was launched under an ad_id: a creative (`taskId` is null) or a pack (`creativeId` is null); if both are null, the launch
 * still waits for a creative with its name. It may have been launched under another ad_id later.
 */
export type Launched = { adId: string; creativeId: string | null; taskId: string | null }

/** What the statements of the lookup are read by: the database itself, each in a snapshot of its own, or one snapshot for several. */
export type Reads = Pick<Database, 'read'>

/** Reads by a handle, for example that of a snapshot. The columns of a statement need different names for this. */
export const readsBy = (db: Db): Reads => ({
  read: async ({ name, text }, values) => {
    const statement = name === null ? text : `${kept(`${name}_by_handle`)}${text}`
    const { rows } = await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(statement, [...values]))
    return rows.map((row) => Object.values(row))
  },
})

export async function readLaunched(database: Reads, adIds: readonly string[]): Promise<Launched[]> {
  if (adIds.length === 0) return []
  const text = `select distinct ad_id, creative_id, task_id from launches where ad_id = ${anyOf('$1', 'text')}`
  const rows = await database.read({ name: 'lookup_launches', text, brief: isFew(adIds) }, [adIds])
  return rows.map(([adId, creativeId, taskId]) => ({
    adId: String(adId),
    creativeId: idOf(creativeId),
    taskId: idOf(taskId),
  }))
}

/** Whether as many launches or creatives are read in a millisecond, if their texts are not large. */
const isFew = (handles: readonly string[]): boolean => handles.length <= 25

const idOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

const endingOf = (variedElements: unknown, ownerId: unknown, assigneeId: unknown): Ending => ({
  variedElements: String(variedElements),
  ownerId: idOf(ownerId),
  assigneeId: idOf(assigneeId),
})

/** The maximum number of creatives for all ad_ids of one request. The text of a creative has about a kilobyte. */
export const mostCreatives = 50_000
/**
 * The maximum size of all texts that one statement reads. The text of a creative may have megabytes, because it contains `landing`,
 * `funnel` and `cpp`. Without this limit, the joined text of a pack could be longer than a JavaScript string can be.
 */
export const mostMegabytes = 64
export const mostBytes = mostMegabytes * 1024 * 1024
/** The size of all texts that one statement reads for a usual lookup, which does not wait for its turn. */
export const usualBytes = 4 * 1024 * 1024
/** The same for a few creatives, which are read over a shared connection. */
const briefBytes = 262_144

/** Separates the texts of creatives in a joined text. JSON text never contains this character, since JSON escapes it in strings. */
export const between = '\u0001'
const separator = String.raw`E'\x01'`

/** Creatives of one pack with the same ending, oldest first, without deleted ones. `texts` contains the texts of all of them. */
export type Pack = Ending & { taskId: string; texts: string; count: number; version: number }

const endingColumns = `to_json(t.varied_elements)::text as varied_elements, coalesce(c.task_owner_id, t.task_owner_id) as owner_id,
  coalesce(c.assignee_id, t.assignee_id) as assignee_id, ${directoryVersion} as version`

/**
 * Reads whole packs. A row for each creative would be slow, so the result has a row for each combination of owner and assignee in a
 * pack. Returns null if the packs together exceed `mostCreatives` or `bytes`.
 */
export async function readPacks(database: Reads, taskIds: readonly string[], bytes: number): Promise<Pack[] | null> {
  if (taskIds.length === 0) return []
  const rows = await database.read({ name: 'lookup_packs', text: packsSql }, [taskIds, bytes])
  if (rows.some(([, texts]) => texts === null)) return null
  return rows.map(([taskId, texts, count, variedElements, ownerId, assigneeId, version]) => ({
    taskId: String(taskId),
    texts: String(texts),
    count: Number(count),
    ...endingOf(variedElements, ownerId, assigneeId),
    version: Number(version),
  }))
}

/**
 * The creatives of each pack are sorted separately: sorting all packs together took most of the time (500 packs: 31 ms instead
 * of 16). `fits`: whether the packs together stay within the limits; if not, no creatives are read, and all `texts` are null. The
 * size of a pack is calculated from the text of one of its creatives, since only short members differ within a pack. Adding up the sizes of all texts would take a sixth longer.
 */
const packsSql = `
  select t.id, c.texts, c.count, ${endingColumns}
  from (
    select id, varied_elements, task_owner_id, assignee_id,
      sum(live) over () <= ${mostCreatives} and sum(live * coalesce(one.bytes, 0)) over () <= (select $2::bigint) as fits
    from (
      select *, case when deleted_at is null then creatives_total::bigint else 0 end as live
      from tasks where id = ${anyOf('$1', 'uuid')}
    ) as t left join lateral (
      select octet_length(${refText}) as bytes from creatives c where c.task_id = t.id and c.deleted_at is null limit 1
    ) as one on true
  ) as t left join lateral (
    select task_owner_id, assignee_id, count(*)::integer as count, string_agg(text, ${separator}) as texts
    from (
      select c.task_owner_id, c.assignee_id, ${refText} as text
      from creatives c where c.task_id = t.id and c.deleted_at is null
      order by c.task_owner_id, c.assignee_id, c.created_at, c.id limit ${mostCreatives + 1}
    ) as live
    group by task_owner_id, assignee_id
  ) as c on t.fits
  where c.count > 0 or not t.fits`

/** Where the name begins in the text of a creative, which begins with its id, and what follows the name (see refOf in lookup-text.ts). */
const [beforeId, nameAt, afterName] = ['{"id":"'.length, `{"id":"${'-'.repeat(36)}","name":`.length, ',"ad_id":']

/** Splits the joined texts of a pack into those of its creatives. `jsonName`: the name as JSON, as `JSON.stringify` writes it. */
export function* cutPack(joined: string): Generator<{ id: string; jsonName: string; texts: string }> {
  // One after the other, so that whoever cuts a large pack can let other work run in between.
  for (let from = 0; from <= joined.length; ) {
    const end = joined.indexOf(between, from)
    const texts = end === -1 ? joined.slice(from) : joined.slice(from, end)
    from += texts.length + between.length
    // A quote in a name has a backslash before it, so that a name cannot contain what follows it.
    const jsonName = texts.slice(nameAt, texts.indexOf(`"${afterName}`, nameAt) + 1)
    yield { id: texts.slice(beforeId, beforeId + 36), jsonName, texts }
  }
}

/** A creative that is not deleted. `texts` is its text, without the members of `Ending` and without the closing brace. */
export type Single = Ending & { id: string; name: string; taskId: string; texts: string; version: number }

/**
 * Reads creatives by name, by id or by task, each of them once, oldest first. Deleted creatives are left out. Returns null if the
 * creatives together exceed `bytes`, or are few and too large to be read over a shared connection: to know that, PostgreSQL reads no
 * text. With `mostBytes`, they are read over a connection of their own.
 */
export async function readSingles(
  database: Reads,
  { names, ids, taskIds }: Record<'names' | 'ids' | 'taskIds', readonly string[]>,
  bytes: number,
): Promise<Single[] | null> {
  if (names.length + ids.length + taskIds.length === 0) return []
  const brief = bytes <= usualBytes && taskIds.length === 0 && isFew([...names, ...ids])
  const rows = await database.read({ name: 'lookup_creatives', text: singlesSql, brief }, [
    ...[names, ids, taskIds],
    brief ? briefBytes : bytes,
  ])
  if (rows.some(([, , , text]) => text === null)) return null
  return rows.map(([id, name, taskId, text, variedElements, ownerId, assigneeId, version]) => ({
    id: String(id),
    name: String(name),
    taskId: String(taskId),
    texts: String(text),
    ...endingOf(variedElements, ownerId, assigneeId),
    version: Number(version),
  }))
}

const singleColumns = `c.id, c.name, c.task_id, c.task_owner_id, c.assignee_id, c.created_at, ${refText} as text`
/** All texts are null if together they have more bytes than the limit. */
const singlesSql = `
  select c.id, c.name, c.task_id,
    case when sum(octet_length(c.text)) over () <= (select $4::bigint) then c.text end as text,
    ${endingColumns}
  from (
    select ${singleColumns} from creatives c where name = ${anyOf('$1', 'text')} and deleted_at is null
    union all
    (select ${singleColumns} from creatives c
     where (id = ${anyOf('$2', 'uuid')} or task_id = ${anyOf('$3', 'uuid')}) and deleted_at is null
       and name <> all((select $1::text[])::text[])
     limit ${mostCreatives + 1})
  ) as c join tasks t on t.id = c.task_id
  order by c.created_at, c.id`
