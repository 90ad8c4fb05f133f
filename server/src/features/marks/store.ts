// In charge of the SQL for what files say about their origin, and for people's answers about the creatives that use these files.
// Callers that write an answer have locked the creative's task.
import { sql } from 'kysely'
import { type Actor, authorOf } from '../../platform/actor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { Stamp } from '../../platform/tables.ts'

export type Said = {
  value: boolean
  reason: string | null
  by: { user_id: string | null; token_id: string | null; name: string | null }
  at: string
}

/**
 * A creative with everything that is known about its file. `made_ai`, `made_source_type` and `drawn` (the labels drawn on the
 * picture) come from the creative's provenance; they are null if there is none or if it is about another file. `source_type` was
 * read from the file itself; it is null if the file names none or has not been read.
 */
export type MarkedRow = {
  id: string
  task_id: string
  name: string
  file: string | null
  geo: string | null
  language: string | null
  made_ai: 'none' | 'assisted' | 'generated' | null
  made_source_type: string | null
  drawn: string[] | null
  source_type: string | null
  /** People's answers about the file, and the waivers of admins. The key is the subject, for example `deepfake`. */
  answers: Record<string, Said>
  now: Stamp
}

// A provenance that an older version of Atelier wrote does not name its file. It is treated as the provenance of the creative's
// present file.
const isOfFile = `coalesce(c.provenance ->> 'file', c.file) = c.file`
const columns = sql.raw(`c.id, c.task_id, c.name, c.file, t.geo, t.language, m.source_type, now_ms() as now,
  case when ${isOfFile} then c.provenance ->> 'ai' end as made_ai,
  case when ${isOfFile} then c.provenance ->> 'source_type' end as made_source_type,
  case when ${isOfFile} then c.provenance -> 'labels' end as drawn,
  coalesce((
    select json_object_agg(a.subject, json_build_object('value', a.value, 'reason', a.reason, 'at', iso(a.at),
      'by', json_build_object('user_id', a.by_user, 'token_id', a.by_token, 'name', coalesce(u.name, k.name))))
    from creative_answers a left join users u on u.id = a.by_user left join tokens k on k.id = a.by_token
    where a.creative_id = c.id and a.file = c.file), '{}') as answers`)
const tables = sql.raw('creatives c join tasks t on t.id = c.task_id left join file_marks m on m.digest = c.file')

/**
 * Lists the creatives of a task with what is known about their files, sorted by name, a page at a time. For a deleted task, these
 * are the creatives that were deleted together with it; otherwise, those that are not deleted.
 */
export async function listMarked(
  db: Db,
  taskId: string,
  after: { name: string; id: string } | null,
  take: number,
): Promise<MarkedRow[]> {
  const found = await sql<MarkedRow>`
    select ${columns} from ${tables}
    where t.id = ${taskId} and c.delete_id is not distinct from t.delete_id
      ${after ? sql`and (c.name collate "C", c.id) > (${after.name}::text collate "C", ${after.id}::uuid)` : sql``}
    order by c.name collate "C", c.id limit ${take}`.execute(db)
  return found.rows
}

/** Returns the creatives of these tasks that have a file and are not deleted, sorted by name. */
export async function readMarkedOf(db: Db, taskIds: readonly string[]): Promise<MarkedRow[]> {
  const found = await sql<MarkedRow>`
    select ${columns} from ${tables}
    where t.id = any(${[...taskIds]}::uuid[]) and c.deleted_at is null and c.file is not null
    order by c.name collate "C", c.id`.execute(db)
  return found.rows
}

export async function readMarked(db: Db, creativeId: string): Promise<MarkedRow | undefined> {
  const found = await sql<MarkedRow>`select ${columns} from ${tables} where c.id = ${creativeId}`.execute(db)
  return found.rows[0]
}

type Answering = { creativeId: string; file: string; subject: string; at: Stamp }

/** Stores a person's answer about a creative's file. A `value` of null removes the answer. */
export async function writeAnswer(
  tx: Db,
  { creativeId, file, subject, at }: Answering,
  given: { value: boolean | null; reason?: string },
  actor: Actor,
): Promise<void> {
  const { by_user, by_token } = authorOf(actor)
  if (given.value === null) {
    await sql`
      delete from creative_answers
      where creative_id = ${creativeId} and file = ${file} and subject = ${subject}`.execute(tx)
  } else {
    await sql`
      insert into creative_answers (creative_id, file, subject, value, reason, by_user, by_token, at)
      values (${creativeId}, ${file}, ${subject}, ${given.value}, ${given.reason ?? null}, ${by_user}, ${by_token}, ${at})
      on conflict (creative_id, file, subject) do update set value = excluded.value, reason = excluded.reason,
        by_user = excluded.by_user, by_token = excluded.by_token, at = excluded.at`.execute(tx)
  }
  tellChanged(tx, 'creative', creativeId)
}

/** Whether the marks of a file have already been read and stored. */
export async function isFileRead(db: Db, digest: string): Promise<boolean> {
  const row = await db.selectFrom('file_marks').select('read_at').where('digest', '=', digest).executeTakeFirst()
  return (row?.read_at ?? null) !== null
}

/** Stores the source type that was read from a file; null: the file names none. Does nothing if the file no longer exists. */
export async function keepFileMarks(tx: Db, digest: string, sourceType: string | null): Promise<void> {
  await sql`
    insert into file_marks (digest, source_type, read_at)
    select digest, ${sourceType}, now_ms() from files where digest = ${digest}
    on conflict (digest) do update set source_type = excluded.source_type, read_at = excluded.read_at`.execute(tx)
}

/** Returns the digests of files that are on creatives, but whose marks have not been read yet; none of `except`. */
export async function unreadFiles(db: Db, take: number, except: readonly string[]): Promise<string[]> {
  const found = await sql<{ digest: string }>`
    select digest from file_marks
    where read_at is null and digest <> all(${[...except]}::text[]) limit ${take}`.execute(db)
  return found.rows.map(({ digest }) => digest)
}
