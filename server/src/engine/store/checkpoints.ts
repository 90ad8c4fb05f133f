// In charge of the SQL for checkpoints. A checkpoint is a state in the history of a graph or a run, which is the subject of the
// checkpoint; the subject can be restored to this state. A checkpoint describes its subject from its own time `at` until the `at`
// of the next checkpoint.
//
// A graph has a checkpoint after every change of its content. Before a run is restored, a checkpoint of its present state is
// written. A restore therefore loses nothing: the state before it can be restored too. Each checkpoint of a subject has a
// later `at` than the one before it; for that, the caller of `writeCheckpoint` has locked the subject's row.
import { sql } from 'kysely'
import { type Actor, authorOf } from '../../platform/actor.ts'
import type { Db } from '../../platform/db.ts'
import type { CheckpointsTable, Stamp } from '../../platform/tables.ts'

/**
 * The kind of a checkpoint in which only the layout has changed. A new layout checkpoint replaces the last one of the same
 * author if the series of such replacements began less than `layoutSeconds` ago.
 */
const layoutKind = 'layout'
const layoutSeconds = 60

export type NewCheckpoint = {
  /** The id of the graph or run. */
  subjectId: string
  /** The `at` of the subject's newest checkpoint; null before the first. */
  lastAt: Stamp | null
  /**
   * If absent: now. The first checkpoint gets the `created_at` of the subject, so that the subject can be restored as it was
   * when it was created.
   */
  at?: Stamp
  kind: string
  /** What happened, in a few words. */
  summary: string
  /** Who made the change; null for the system. */
  actor: Actor | null
  /** The state to restore: all of it or, in an incremental checkpoint, only what differs from the checkpoint before it. */
  content: unknown
  /** For an incremental checkpoint: the `at` of the full checkpoint that it is based on; null or absent for a full one. */
  fullAt?: Stamp | null
  /** Digests and counts of the content, with which the content of the next checkpoint is compared. */
  manifest?: unknown
  /**
   * Whether only the layout has changed. The checkpoint then has the kind `layout`, whatever `kind` says, and may replace the
   * last one of its author.
   */
  layoutOnly?: boolean
}

/** Writes a checkpoint and returns its `at`, which the caller stores in the subject's row. */
export async function writeCheckpoint(tx: Db, given: NewCheckpoint): Promise<Stamp> {
  const { subjectId, lastAt, summary, actor, content, fullAt = null, manifest = null, layoutOnly = false } = given
  const author = actor ? authorOf(actor) : { by_user: null, by_token: null }
  const begunAt = layoutOnly ? await takeOutLayout(tx, subjectId, author) : null
  const written = await sql<{ at: Stamp }>`
    insert into checkpoints (subject_id, at, begun_at, kind, summary, by_user, by_token, content, full_at, manifest)
    select ${subjectId}, next.at, coalesce(${begunAt}::timestamptz, next.at), ${layoutOnly ? layoutKind : given.kind},
      ${summary}, ${author.by_user}, ${author.by_token}, ${JSON.stringify(content)}::json,
      ${fullAt}::timestamptz, ${manifest === null ? null : JSON.stringify(manifest)}::json
    from (select coalesce(${given.at ?? null}::timestamptz,
      greatest(now_ms(), ${lastAt}::timestamptz + interval '1 millisecond')) as at) as next
    returning at`.execute(tx)
  const [row] = written.rows
  if (!row) throw new Error(`The checkpoint of ${subjectId} was not written.`)
  return row.at
}

/**
 * Removes the newest layout checkpoint of the author if its `begun_at` is less than `layoutSeconds` ago. Returns that time,
 * which the new checkpoint takes over; null if none was removed. It stays if anything but layout was written since: after a restore,
 * for example, its layout is in no other checkpoint.
 */
async function takeOutLayout(
  tx: Db,
  subjectId: string,
  { by_user, by_token }: Pick<CheckpointsTable, 'by_user' | 'by_token'>,
): Promise<Stamp | null> {
  const joined = await sql<{ begun_at: Stamp }>`
    delete from checkpoints where (subject_id, at) = (
      select subject_id, at from checkpoints
      where subject_id = ${subjectId} and kind = ${layoutKind}
        and by_user is not distinct from ${by_user} and by_token is not distinct from ${by_token}
      order by at desc limit 1
    ) and begun_at > now_ms() - make_interval(secs => ${layoutSeconds})
      and not exists (select from checkpoints later
        where later.subject_id = ${subjectId} and later.at > checkpoints.at and later.kind <> ${layoutKind})
    returning begun_at`.execute(tx)
  return joined.rows[0]?.begun_at ?? null
}

export type Checkpoint = { at: Stamp; kind: string; content: unknown; full_at: Stamp | null; manifest: unknown }

/**
 * Whether the history contains checkpoint `c`. While `deleteSomeCheckpoints` removes the beginning of a history in several
 * transactions, incremental checkpoints may be left whose full checkpoint is already removed. Their state cannot be read any more.
 */
const isInHistory = sql<boolean>`(c.full_at is null or exists (
  select from checkpoints f where f.subject_id = c.subject_id and f.at = c.full_at))`

/**
 * The newest checkpoint of the subject that is not after `at`; undefined if the subject did not exist yet, or if its history
 * begins later. The first checkpoint is also returned for times between the creation of the subject and the checkpoint's own
 * `at`, since earlier versions of Atelier dated the first checkpoint of a run slightly later than the run.
 */
export async function checkpointAt(
  db: Db,
  subject: { id: string; created_at: Stamp },
  at: Stamp,
): Promise<Checkpoint | undefined> {
  return db
    .selectFrom('checkpoints as c')
    .select(['at', 'kind', 'content', 'full_at', 'manifest'])
    .where('subject_id', '=', subject.id)
    .where(
      sql<boolean>`(at <= ${at}::timestamptz or (kind = 'created' and ${at}::timestamptz >= ${subject.created_at}::timestamptz))`,
    )
    .where(isInHistory)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * The manifest of the newest checkpoint, with which the next one is compared; undefined if there is none. Layout checkpoints
 * are skipped: they may be removed again, so nothing may be based on them.
 */
export async function newestManifest(
  tx: Db,
  subjectId: string,
): Promise<{ at: Stamp; full_at: Stamp | null; manifest: unknown } | undefined> {
  return tx
    .selectFrom('checkpoints')
    .select(['at', 'full_at', 'manifest'])
    .where('subject_id', '=', subjectId)
    .where('kind', '<>', layoutKind)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Reads members of the state of an incremental checkpoint. `digests`: the digests of the members, under their names, as the
 * manifest of the checkpoint has them. The first checkpoint since the full one whose manifest has the same digest contains the
 * member; only these checkpoints are read, since all contents of a long history together may be very large.
 */
export async function readMembers(
  db: Db,
  subjectId: string,
  { at, full_at }: Pick<Checkpoint, 'at' | 'full_at'>,
  digests: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { rows } = await sql<{ name: string; value: unknown }>`
    select wanted.name, (
      select c.content -> wanted.name from checkpoints c
      where c.subject_id = ${subjectId} and c.at = (
        select min(b.at) from checkpoints b
        where b.subject_id = ${subjectId} and b.at between ${full_at}::timestamptz and ${at}::timestamptz
          and (b.kind <> ${layoutKind} or b.at = ${at}::timestamptz)
          and b.manifest -> 'parts' ->> wanted.name = wanted.digest)) as value
    from unnest(${Object.keys(digests)}::text[], ${Object.values(digests)}::text[]) as wanted (name, digest)`.execute(
    db,
  )
  return Object.fromEntries(rows.map(({ name, value }) => [name, value ?? undefined]))
}

/**
 * For checkpoints without a manifest of ours: the contents that together make up the state of a checkpoint, in the order of
 * time: that of the full checkpoint that it is based on, those of the incremental checkpoints between the two, and its own.
 */
export async function contentsOf(db: Db, subjectId: string, { at, full_at, content }: Checkpoint): Promise<unknown[]> {
  if (full_at === null) return [content]
  const rows = await db
    .selectFrom('checkpoints')
    .select('content')
    .where('subject_id', '=', subjectId)
    .where('at', '>=', full_at)
    .where('at', '<', at)
    .where('kind', '<>', layoutKind)
    .orderBy('at')
    .execute()
  return [...rows.map((row) => row.content), content]
}

/**
 * A page of a history, newest first, as JSON text `{at, kind, by, summary}`. `after`: the last `at` of the page before; null
 * for the first page.
 */
export async function listCheckpoints(
  db: Db,
  subjectId: string,
  after: Stamp | null,
  take: number,
): Promise<{ at: Stamp; text: string }[]> {
  const found = await sql<{ at: Stamp; text: string }>`
    select c.at, json_build_object('at', iso(c.at), 'kind', c.kind,
      'by', case when c.by_user is null and c.by_token is null then null
        else json_build_object('user_id', c.by_user, 'token_id', c.by_token, 'name', coalesce(u.name, k.name)) end,
      'summary', c.summary)::text as text
    from checkpoints c left join users u on u.id = c.by_user left join tokens k on k.id = c.by_token
    where c.subject_id = ${subjectId} and ${isInHistory}
      ${after === null ? sql`` : sql`and c.at < ${after}::timestamptz`}
    order by c.at desc limit ${take}`.execute(db)
  return found.rows
}

/** How many checkpoints, and about how many copies of units, `deleteSomeCheckpoints` deletes at a time. */
const fewCheckpoints = 100
const fewUnits = 2000

/**
 * Deletes some checkpoints of a subject before `before` (null: all), with the units that belong to them: so few that the
 * transaction is brief, however long the history is. The oldest go first, so that the history begins later after each transaction
 * and never has a gap, in which an older state would be taken for the one that was removed. Returns how many were deleted, and
 * whether there are more.
 */
export async function deleteSomeCheckpoints(
  tx: Db,
  subjectId: string,
  before: Stamp | null,
): Promise<{ deleted: number; isMore: boolean }> {
  const isBefore = before === null ? sql`true` : sql`c.at < ${before}::timestamptz`
  const { numAffectedRows } = await sql`
    delete from checkpoints where subject_id = ${subjectId} and at = any(array(
      select at from (
        select at, sum(units) over (order by at) - units as units_before
        from (
          select c.at, (select count(*) from checkpoint_units u where u.subject_id = c.subject_id and u.at = c.at) as units
          from checkpoints c where c.subject_id = ${subjectId} and ${isBefore}
          order by c.at limit ${fewCheckpoints}) as oldest) as counted
      where units_before < ${fewUnits}))`.execute(tx)
  const { rows } = await sql`
    select from checkpoints c where c.subject_id = ${subjectId} and ${isBefore} limit 1`.execute(tx)
  return { deleted: Number(numAffectedRows ?? 0), isMore: rows.length > 0 }
}
