// In charge of storing the provider's facts about people. The result does not depend on the order in which messages arrive, nor on
// how often a message arrives.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { type Db, tellChanged } from '../../platform/db.ts'
import { lockProviderId, personOfIdentity } from '../../platform/identities.ts'
import { alignPerson, type Change } from './align.ts'
import type { DirectoryEvent } from './events.ts'
import { type DirectoryConfig, readPolicy } from './organization.ts'
import type { Policy } from './standing.ts'

/** How many days ids of messages are kept: a little longer than the four days for which the provider repeats a message. */
const rememberedDays = 5

/**
 * Stores the id of a message, and returns whether the id is new. Called in the transaction that applies the message; so a copy that
 * arrives meanwhile has to wait for this transaction, and is then recognized as a copy.
 */
export async function claimMessage(tx: Db, id: string): Promise<boolean> {
  const claimed = await tx
    .insertInto('webhook_messages')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}

/** Called periodically: deletes the ids of messages that the provider does not repeat any more. */
export async function forgetOldMessages(db: Db): Promise<void> {
  await sql`delete from webhook_messages where received_at < now() - make_interval(days => ${rememberedDays})`.execute(
    db,
  )
}

/**
 * What a message did. `organization`: the one that a message about a membership named, null for other messages; `isKnown`: whether
 * it is known which organization is ours; `change`: how the person changed, null if there is nothing to log.
 */
export type Applied = { organization: string | null; isKnown: boolean; change: Change | null }

/** Stores what an event says, and updates the person it is about. Returns null for kinds of event from which nothing is stored. */
export async function applyEvent(tx: Db, event: DirectoryEvent, config: DirectoryConfig): Promise<Applied | null> {
  if (event.kind === 'unknown') return null
  await lockProviderId(tx, event.providerId)
  const policy = await readPolicy(tx, config)
  await insertDirectoryUser(tx, event)
  const former = await keep(tx, event, policy)
  const person = await meet(tx, event.providerId, config.oauthIssuer)
  if (former !== null && person !== null) await describe(tx, person, former)
  return {
    organization: event.kind === 'membership' ? event.organization : null,
    isKnown: policy.organization !== null,
    change: await alignPerson(tx, policy, event.providerId),
  }
}

/**
 * Adds a row for the person's id at the provider, unless an earlier message has added it. `known` is set in the row if the message
 * says more about the person than that they were deleted.
 */
async function insertDirectoryUser(tx: Db, { kind, providerId }: Known): Promise<void> {
  await sql`insert into directory_users (provider_id) values (${providerId}) on conflict do nothing`.execute(tx)
  if (kind !== 'user_deleted') {
    await sql`update directory_users set known = true where provider_id = ${providerId} and not known`.execute(tx)
  }
}

type Known = Exclude<DirectoryEvent, { kind: 'unknown' }>
type MembershipEvent = Extract<DirectoryEvent, { kind: 'membership' }>
type UserEvent = Extract<DirectoryEvent, { kind: 'user' }>

/** Stores an event. If it contained a newer profile, returns the one that was stored before; otherwise null. */
async function keep(tx: Db, event: Known, policy: Policy): Promise<Profile | null> {
  switch (event.kind) {
    case 'user':
      return keepProfile(tx, event)
    case 'user_deleted':
      // The earliest time counts, since the provider may send the message again, each time with a later time.
      await sql`
        update directory_users set deleted = true, deleted_at = least(deleted_at, ${event.endedAt}::bigint, ${nowMs})
        where provider_id = ${event.providerId}`.execute(tx)
      return null
    default:
      await keepMembership(tx, event, policy)
      return null
  }
}

/**
 * SQL for the present time in milliseconds. It limits the time at which access ended: even if the provider's clock is ahead, the
 * end is not later than the arrival of its message, so that credentials which are created after the message are valid.
 */
const nowMs = sql`(extract(epoch from now_ms()) * 1000)::bigint`

/** A repeated profile is not newer: what an admin has changed since it came first has to stay. */
async function keepProfile(tx: Db, event: UserEvent): Promise<Profile | null> {
  const key = JSON.stringify([event.name, event.email, event.imageUrl])
  const kept = await sql<Profile>`
    update directory_users d
    set name = ${event.name}, email = ${event.email}, image_url = ${event.imageUrl},
      changed_at = ${event.changedAt}, changed_key = ${key}
    from directory_users former
    where d.provider_id = ${event.providerId} and former.provider_id = d.provider_id
      and (d.changed_at, d.changed_key collate "C") < (${event.changedAt}::bigint, ${key}::text collate "C")
    returning former.name, former.email, former.image_url`.execute(tx)
  return kept.rows[0] ?? null
}

/**
 * Stores a membership. A deleted one stays deleted, since joining again creates another membership. If messages name different
 * words for the role, the one with the latest `changedAt` counts. The column `role` is written only for processes of the previous
 * version, which read it.
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

const profileMembers = ['name', 'email', 'image_url'] as const
type Profile = Record<(typeof profileMembers)[number], string | null>
type Described = Profile & { user_id: string }

/**
 * Returns the user for a provider's id, with the provider's profile. If nobody has signed in with the id yet, a user is created.
 * Returns null, and creates nobody, if all that is known about the id is that it was deleted.
 */
async function meet(tx: Db, providerId: string, issuer: string | null): Promise<Described | null> {
  const { rows } = await sql<Profile & { user_id: string | null; known: boolean }>`
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

/**
 * Writes what has changed in the provider's profile. Where the provider has nothing any more, only its own former value is removed:
 * another value was set by an admin, or came with a sign-in.
 */
async function describe(tx: Db, person: Described, former: Profile): Promise<void> {
  const changed = profileMembers.filter((member) => person[member] !== former[member])
  if (changed.length === 0) return
  const set = changed.map((member) => {
    const column = sql.ref(member)
    return sql`${column} = ${person[member] ?? sql`nullif(${column}, ${former[member]})`}`
  })
  await sql`update users set ${sql.join(set)}, updated_at = now_ms() where id = ${person.user_id}`.execute(tx)
  tellChanged(tx, 'person', person.user_id)
}
