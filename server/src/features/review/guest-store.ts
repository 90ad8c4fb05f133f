// In charge of the SQL for guest links and guests. Which creatives a guest may see is read from the view guest_creatives at each
// request.
import type { GuestCreative, GuestLink } from '@atelier/contract/guests.ts'
import { type Insertable, sql } from 'kysely'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'
import type { GuestLinksTable } from '../../platform/tables.ts'
import { versionOfCreative } from '../tasks/creatives/store.ts'
import type { CommentSql } from './comment-page.ts'

const link = sql.raw(`l.id, l.created_at as at, json_build_object('id', l.id, 'task_id', l.task_id, 'name', l.name,
  'creative_ids', case when not l.whole_task then coalesce((select json_agg(o.creative_id order by o.creative_id)
    from guest_link_creatives o where o.link_id = l.id), '[]') end,
  'may_comment', l.may_comment, 'may_decide', l.may_decide, 'has_password', l.password is not null,
  'expires_at', iso(l.expires_at), 'revoked_at', iso(l.revoked_at),
  'by', json_build_object('user_id', l.by_user, 'token_id', l.by_token, 'name', coalesce(u.name, k.name)),
  'created_at', iso(l.created_at),
  'guests', (select count(*) from guests g where g.link_id = l.id),
  'looked_at', iso((select max(g.looked_at) from guests g where g.link_id = l.id))) as link`)
const tables = sql.raw('guest_links l left join users u on u.id = l.by_user left join tokens k on k.id = l.by_token')

type LinkRow = { id: string; at: string; link: GuestLink }

/** Lists the guest links of a task, oldest first. */
export async function listGuestLinks(db: Db, taskId: string, after: Position | null, take: number): Promise<LinkRow[]> {
  const found = await sql<LinkRow>`
    select ${link} from ${tables} where l.task_id = ${taskId}
      ${after ? sql`and (l.created_at, l.id) > (${after.key}::timestamptz, ${after.id}::uuid)` : sql``}
    order by l.created_at, l.id limit ${take}`.execute(db)
  return found.rows
}

export async function readGuestLink(db: Db, id: string): Promise<GuestLink | undefined> {
  return (await sql<LinkRow>`select ${link} from ${tables} where l.id = ${id}`.execute(db)).rows[0]?.link
}

/**
 * Adds a link to these creatives, or to the whole task if `creativeIds` is null. The link expires after `seconds`. Returns false if
 * one of the creatives is deleted or does not belong to the task.
 */
export async function insertGuestLink(
  tx: Db,
  row: Omit<Insertable<GuestLinksTable>, 'whole_task' | 'expires_at'>,
  { creativeIds, seconds }: { creativeIds: readonly string[] | null; seconds: number },
): Promise<boolean> {
  const expires_at = sql<string>`now_ms() + make_interval(secs => ${seconds})`
  await tx
    .insertInto('guest_links')
    .values({ ...row, whole_task: creativeIds === null, expires_at })
    .execute()
  tellChanged(tx, 'task', row.task_id)
  if (creativeIds === null) return true
  const added = await sql`
    insert into guest_link_creatives (link_id, creative_id)
    select ${row.id}, id from creatives
    where id = any(${[...creativeIds]}::uuid[]) and task_id = ${row.task_id} and deleted_at is null
    returning creative_id`.execute(tx)
  return added.rows.length === creativeIds.length
}

export async function revokeLink(tx: Db, { id, taskId }: { id: string; taskId: string }): Promise<void> {
  await sql`update guest_links set revoked_at = coalesce(revoked_at, now_ms()) where id = ${id}`.execute(tx)
  tellChanged(tx, 'task', taskId)
}

type Entrance = { id: string; task_id: string; password: string | null; expires_at: string } & Rights
type Rights = { may_comment: boolean; may_decide: boolean }

/** Finds a link by the hash of its secret; undefined if the link is not valid any more. */
export async function findEntrance(db: Db, hash: Buffer): Promise<Entrance | undefined> {
  const found = await sql<Entrance>`
    select l.id, l.task_id, l.password, l.may_comment, l.may_decide, iso(l.expires_at) as expires_at
    from guest_links l join tasks t on t.id = l.task_id and t.deleted_at is null
    where l.hash = ${hash} and l.revoked_at is null and l.expires_at > now()`.execute(db)
  return found.rows[0]
}

/**
 * Counts an attempt to enter a password, and returns the number of attempts in the present period, which is ten minutes long and
 * begins with its first attempt. Called before the password is checked, so that simultaneous attempts are counted too.
 */
export async function countAttempt(db: Db, linkId: string): Promise<number> {
  const found = await sql<{ wrong_passwords: number }>`
    update guest_links set
      wrong_passwords = case when wrong_since > now() - interval '10 minutes' then wrong_passwords + 1 else 1 end,
      wrong_since = case when wrong_since > now() - interval '10 minutes' then wrong_since else now() end
    where id = ${linkId} returning wrong_passwords`.execute(db)
  return found.rows[0]?.wrong_passwords ?? Number.POSITIVE_INFINITY
}

export async function forgetAttempts(db: Db, linkId: string): Promise<void> {
  await sql`update guest_links set wrong_passwords = 0, wrong_since = null where id = ${linkId}`.execute(db)
}

export async function insertGuest(
  tx: Db,
  guest: { id: string; link_id: string; name: string; hash: Buffer },
): Promise<void> {
  await tx.insertInto('guests').values(guest).execute()
}

/** How many guests one link may have. In practice, a link is sent to fewer people than this. */
export const mostGuests = 1000

/** Locks a link and counts its guests. The caller adds one in the same transaction, so that simultaneous entries count each other. */
export async function lockAndCountGuests(tx: Db, linkId: string): Promise<number> {
  await sql`select 1 from guest_links where id = ${linkId} for no key update`.execute(tx)
  const found = await sql<{ n: number }>`select count(*)::integer as n from guests where link_id = ${linkId}`.execute(
    tx,
  )
  return found.rows[0]?.n ?? 0
}

/**
 * The condition that two rows of `guests`, given by their aliases, count as one person: the same name behind the same link. A guest
 * whose browser has lost its token comes back as another row.
 */
export const isSameGuest = (one: string, other: string) =>
  sql.raw(`${one}.link_id = ${other}.link_id and lower(${one}.name) = lower(${other}.name)`)

type GuestRow = { id: string; name: string; link_id: string; task_id: string } & Rights

/** Finds a guest by the hash of the guest's token; undefined if the guest's link is not valid any more. */
export async function findGuest(db: Db, hash: Buffer): Promise<GuestRow | undefined> {
  const found = await sql<GuestRow>`
    select g.id, g.name, l.id as link_id, l.task_id, l.may_comment, l.may_decide
    from guests g join guest_links l on l.id = g.link_id
    join tasks t on t.id = l.task_id and t.deleted_at is null
    where g.hash = ${hash} and l.revoked_at is null and l.expires_at > now()`.execute(db)
  return found.rows[0]
}

/** Records that a guest is viewing the creatives. Records nothing and returns false if the last view is less than a minute old. */
export async function noteLook(tx: Db, guestId: string): Promise<boolean> {
  const found = await sql`
    update guests set looked_at = now_ms()
    where id = ${guestId} and (looked_at is null or looked_at < now() - interval '1 minute') returning id`.execute(tx)
  return found.rows.length > 0
}

type Shown = Omit<GuestCreative, 'url' | 'thumbnail_url' | 'may_comment' | 'may_decide'>
const shown = sql`
  select c.id as creative_id, c.name, v.number as version, c.file, f.media_type, f.size, decided.decision, decided.note
  from guest_creatives s join guests g on g.id = s.guest_id join creatives c on c.id = s.creative_id
  join ${versionOfCreative}
  join files f on f.digest = c.file
  left join lateral (
    select d.decision, d.note from review_decisions d join guests o on o.id = d.by_guest
    where d.creative_id = c.id and ${isSameGuest('o', 'g')} and d.file = c.file and d.void_at is null
    order by d.at desc, d.id desc limit 1
  ) as decided on true`

/** Lists the creatives that a guest may see, sorted by name. */
export async function listShown(
  db: Db,
  guestId: string,
  after: { name: string; id: string } | null,
  take: number,
): Promise<Shown[]> {
  const found = await sql<Shown>`
    ${shown} where s.guest_id = ${guestId}
      ${after ? sql`and (c.name collate "C", c.id) > (${after.name}::text collate "C", ${after.id}::uuid)` : sql``}
    order by c.name collate "C", c.id limit ${take}`.execute(db)
  return found.rows
}

export async function readShown(db: Db, guestId: string, creativeId: string): Promise<Shown | undefined> {
  return (await sql<Shown>`${shown} where s.guest_id = ${guestId} and c.id = ${creativeId}`.execute(db)).rows[0]
}

/** The comments on a creative that guests may see, as one of them sees them. */
export const guestComments = (guestId: string, creativeId: string): CommentSql => ({
  where: sql`x.creative_id = ${creativeId} and x.visibility = 'guests'`,
  text: sql`json_build_object('id', x.id, 'version', x.version, 'thread_id', x.thread_id,
    'by_name', coalesce(u.name, k.name, g.name || ' (guest)'), 'mine', x.by_guest is not distinct from ${guestId}::uuid,
    'text', x.text, 'mark', x.mark, 'from_seconds', x.from_seconds, 'created_at', iso(x.created_at),
    'resolved', x.resolved_at is not null)::text`,
  joins: sql.raw(`left join users u on u.id = x.by_user left join tokens k on k.id = x.by_token
    left join guests g on g.id = x.by_guest`),
})
