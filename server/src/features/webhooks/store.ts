// In charge of keeping what a provider says of people, so that messages in any order and number end alike.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Db, tellChanged } from '../../platform/db.ts'
import { lockProviderId, personOfIdentity } from '../../platform/identities.ts'
import { alignPerson, type Change } from './align.ts'
import type { DirectoryEvent } from './events.ts'
import { type DirectoryConfig, readPolicy } from './organization.ts'
import type { Policy } from './standing.ts'

/** Messages are sent again for up to four days; ids are remembered a little longer. */
const rememberedDays = 5

/** Whether this message is new. In the transaction of its effect: a second copy waits, then finds it known. */
export async function claimMessage(tx: Db, id: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('webhook_messages')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Periodic: forgets ids no sender repeats any more. */
export async function forgetOldMessages(db: Db): Promise<void> {
  await sql`delete from webhook_messages where received_at < now() - make_interval(days => ${rememberedDays})`.execute(
    db,
  )
}

/** What a message did: `change` to the person, and for a membership whether it is known which organization is ours. */
export type Applied = { organization: string | null; isKnown: boolean; change: Change | null }

/** Keeps what the event says where it is news, and brings the person it is about in line; null for a kind we keep nothing of. */
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

/** The row of a provider's id is made at the first message about it. */
async function insertDirectoryUser(tx: Db, { kind, providerId }: Known): Promise<void> {
  await sql`insert into directory_users (provider_id) values (${providerId}) on conflict do nothing`.execute(tx)
  if (kind !== 'user_deleted') {
    await sql`update directory_users set known = true where provider_id = ${providerId} and not known`.execute(tx)
  }
}

type Known = Exclude<DirectoryEvent, { kind: 'unknown' }>
type MembershipEvent = Extract<DirectoryEvent, { kind: 'membership' }>
type UserEvent = Extract<DirectoryEvent, { kind: 'user' }>

/** Whether it is news about who the person is: a name, an address, a picture. */
async function keep(tx: Db, event: Known, policy: Policy): Promise<boolean> {
  switch (event.kind) {
    case 'user':
      return keepProfile(tx, event)
    case 'user_deleted':
      // Of several messages the earliest time counts: each try of the sender carries a later one.
      await sql`
        update directory_users set deleted = true, deleted_at = least(deleted_at, ${event.endedAt}::bigint, ${nowMs})
        where provider_id = ${event.providerId}`.execute(tx)
      return false
    default:
      await keepMembership(tx, event, policy)
      return false
  }
}

/** An ending is not later than its message arrived, whatever the provider's clock says: credentials made since hold. */
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
 * A deleted membership stays deleted: joining again makes another. Of two words on one, the later counts. `role` is for
 * processes of the version before.
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
 * What the provider says of who the person is: the one whom an access token of the same subject has brought here, or one
 * who is made at the first message. Null where there is none: somebody only ever heard of by being deleted is nobody here.
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
