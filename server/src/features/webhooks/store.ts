// In charge of storing the provider's facts about people; the result does not depend on the order or number of its messages.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Db, tellChanged } from '../../platform/db.ts'
import { lockProviderId, personOfIdentity } from '../../platform/identities.ts'
import { alignPerson, type Change } from './align.ts'
import type { DirectoryEvent } from './events.ts'
import { type DirectoryConfig, readPolicy } from './organization.ts'
import type { Policy } from './standing.ts'

/** The provider repeats a message for up to four days; the ids of messages are kept a little longer. */
const rememberedDays = 5

/** Whether this message is new. Runs in the transaction of the effect, so a concurrent copy waits and is then recognized. */
export async function claimMessage(tx: Db, id: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('webhook_messages')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Periodic: deletes the ids of messages that are no longer repeated. */
export async function forgetOldMessages(db: Db): Promise<void> {
  await sql`delete from webhook_messages where received_at < now() - make_interval(days => ${rememberedDays})`.execute(
    db,
  )
}

/** What a message did: `change` is that of the person; `isKnown`: whether our organization is known. */
export type Applied = { organization: string | null; isKnown: boolean; change: Change | null }

/** Stores what is new in an event, and updates the person it is about; returns null for kinds of which nothing is stored. */
export async function applyEvent(tx: Db, event: DirectoryEvent, config: DirectoryConfig): Promise<Applied | null> {
  if (event.kind === 'unknown') return null
  await lockProviderId(tx, event.providerId)
  const policy = await readPolicy(tx, config)
  await insertDirectoryUser(tx, event)
  const isNews = await keep(tx, event, policy)
  const profile = await meet(tx, event.providerId, config.oauthIssuer)
  if (isNews && profile !== null) await describe(tx, profile)
  return {
    organization: event.kind === 'membership' ? event.organization : null,
    isKnown: policy.organization !== null,
    change: await alignPerson(tx, policy, event.providerId),
  }
}

/** Inserts the row of a provider's id when the first message about this id arrives. */
async function insertDirectoryUser(tx: Db, { kind, providerId }: Known): Promise<void> {
  await sql`insert into directory_users (provider_id) values (${providerId}) on conflict do nothing`.execute(tx)
  if (kind !== 'user_deleted') {
    await sql`update directory_users set known = true where provider_id = ${providerId} and not known`.execute(tx)
  }
}

type Known = Exclude<DirectoryEvent, { kind: 'unknown' }>
type MembershipEvent = Extract<DirectoryEvent, { kind: 'membership' }>
type UserEvent = Extract<DirectoryEvent, { kind: 'user' }>

/** Stores the event; returns whether it changed the person's profile: name, email address or picture. */
async function keep(tx: Db, event: Known, policy: Policy): Promise<boolean> {
  switch (event.kind) {
    case 'user':
      return keepProfile(tx, event)
    case 'user_deleted':
      // The earliest time of several messages counts, since each repeated attempt of the sender has a later one.
      await sql`
        update directory_users set deleted = true, deleted_at = least(deleted_at, ${event.endedAt}::bigint, ${nowMs})
        where provider_id = ${event.providerId}`.execute(tx)
      return false
    default:
      await keepMembership(tx, event, policy)
      return false
  }
}

/** An end is never later than the arrival of its message, whatever the provider's clock says: newer credentials stay valid. */
const nowMs = sql`(extract(epoch from now_ms()) * 1000)::bigint`

async function keepProfile(tx: Db, event: UserEvent): Promise<boolean> {
  const key = JSON.stringify([event.name, event.email, event.imageUrl])
  const kept = await sql`
    update directory_users
    set name = ${event.name}, email = ${event.email}, image_url = ${event.imageUrl},
      changed_at = ${event.changedAt}, changed_key = ${key}
    where provider_id = ${event.providerId}
      and (changed_at, changed_key collate "C") <= (${event.changedAt}::bigint, ${key}::text collate "C")
    returning provider_id`.execute(tx)
  return kept.rows.length > 0
}

/**
 * A deleted membership stays deleted, since joining again creates another one. Of two role words for one membership the later
 * counts. Processes of the previous version read the column `role`.
 */
async function keepMembership(tx: Db, event: MembershipEvent, { roles }: Policy): Promise<void> {
  const role = roles.get(event.word) ?? 'reader'
  const isLater = sql`(excluded.changed_at, excluded.role_word collate "C")
    >= (m.changed_at, coalesce(m.role_word, '') collate "C")`
  await sql`
    insert into directory_memberships as m (membership_id, provider_id, organization_id, role_word, role, changed_at,
      joined_at, deleted, left_at)
    values (${event.membershipId}, ${event.providerId}, ${event.organization}, ${event.word}, ${role}, ${event.changedAt},
      ${event.joinedAt}, ${event.endedAt !== null}, least(${event.endedAt}::bigint, case when ${event.endedAt !== null} then ${nowMs} end))
    on conflict (membership_id) do update set
      organization_id = greatest(m.organization_id, excluded.organization_id),
      role_word = case when ${isLater} then excluded.role_word else m.role_word end,
      role = case when ${isLater} then excluded.role else m.role end,
      changed_at = greatest(m.changed_at, excluded.changed_at),
      joined_at = least(m.joined_at, excluded.joined_at),
      deleted = m.deleted or excluded.deleted,
      left_at = least(m.left_at, excluded.left_at)`.execute(tx)
}

type Profile = { user_id: string; name: string | null; email: string | null; image_url: string | null }

/**
 * The person of a provider's id, with the provider's profile: the person who signed in with this subject, or else a new one.
 * Null if the only message about the id is that it was deleted: no person is created for it.
 */
async function meet(tx: Db, providerId: string, issuer: string | null): Promise<Profile | null> {
  const { rows } = await sql<Omit<Profile, 'user_id'> & { user_id: string | null; known: boolean }>`
    select user_id, name, email, image_url, known from directory_users where provider_id = ${providerId}`.execute(tx)
  const [found] = rows
  if (found === undefined) return null
  const { user_id, name, email, image_url, known } = found
  if (user_id !== null) return { user_id, name, email, image_url }
  const met = issuer === null ? null : await personOfIdentity(tx, issuer, providerId)
  if (met === null && !known) return null
  const id = met ?? uuidv7()
  if (met === null) await tx.insertInto('users').values({ id, name, email, image_url, role: 'reader' }).execute()
  tellChanged(tx, 'person', id)
  await sql`update directory_users set user_id = ${id} where provider_id = ${providerId}`.execute(tx)
  return { user_id: id, name, email, image_url }
}

async function describe(tx: Db, { user_id, name, email, image_url }: Profile): Promise<void> {
  await tx
    .updateTable('users')
    .set({ name, email, image_url, updated_at: sql<string>`now_ms()` })
    .where('id', '=', user_id)
    .execute()
  tellChanged(tx, 'person', user_id)
}
