// In charge of keeping what a provider says of people, so that messages in any order and number end alike.
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { announceAuthChange } from '../../platform/auth.ts'
import type { Db } from '../../platform/db.ts'
import { lockProviderId } from '../../platform/identities.ts'
import type { DirectoryEvent } from './events.ts'

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

/** Keeps what the event says where it is news, and brings the person it is about in line. */
export async function applyEvent(tx: Db, event: DirectoryEvent): Promise<void> {
  if (event.kind === 'unknown') return
  await lockPerson(tx, event)
  switch (event.kind) {
    case 'user':
      await sql`
        update directory_users
        set name = ${event.name}, email = ${event.email}, image_url = ${event.imageUrl},
          changed_at = ${event.changedAt}, changed_key = ${keyOf(event)}
        where provider_id = ${event.providerId}
          and (changed_at, changed_key collate "C") <= (${event.changedAt}::bigint, ${keyOf(event)}::text collate "C")
      `.execute(tx)
      break
    case 'user_deleted':
      await sql`update directory_users set deleted = true where provider_id = ${event.providerId}`.execute(tx)
      break
    default:
      await keepMembership(tx, event)
  }
  await refreshPerson(tx, event.providerId)
}

const keyOf = ({ name, email, imageUrl }: Extract<DirectoryEvent, { kind: 'user' }>): string =>
  JSON.stringify([name, email, imageUrl])

/** One message about a person at a time; the row is made at the first. */
async function lockPerson(tx: Db, { kind, providerId }: Exclude<DirectoryEvent, { kind: 'unknown' }>): Promise<void> {
  await lockProviderId(tx, providerId)
  await sql`insert into directory_users (provider_id) values (${providerId}) on conflict do nothing`.execute(tx)
  if (kind !== 'user_deleted') {
    await sql`update directory_users set known = true where provider_id = ${providerId} and not known`.execute(tx)
  }
}

type MembershipEvent = Extract<DirectoryEvent, { membershipId: string }>

/** A deleted membership stays deleted: joining again makes another. Of two words on one, the later counts. */
async function keepMembership(tx: Db, event: MembershipEvent): Promise<void> {
  await sql`
    insert into directory_memberships as m (membership_id, provider_id, role, changed_at, deleted)
    values (${event.membershipId}, ${event.providerId}, ${event.role}, ${event.changedAt}, ${event.kind === 'membership_deleted'})
    on conflict (membership_id) do update set
      role = case when (excluded.changed_at, excluded.role) >= (m.changed_at, m.role) then excluded.role else m.role end,
      changed_at = greatest(m.changed_at, excluded.changed_at),
      deleted = m.deleted or excluded.deleted`.execute(tx)
}

/**
 * The person as the kept facts say: active unless deleted or left without a membership they once had; the role of the
 * membership changed last, unless an admin chose one. Somebody only ever heard of by being deleted is nobody here.
 */
async function refreshPerson(tx: Db, providerId: string): Promise<void> {
  const { rows } = await sql<PersonFacts>`
    select d.user_id, d.name, d.email, d.image_url, d.known, d.deleted,
      exists (select 1 from directory_memberships m where m.provider_id = d.provider_id) as ever_member,
      (select role from directory_memberships m where m.provider_id = d.provider_id and not m.deleted
        order by changed_at desc, membership_id desc limit 1) as role
    from directory_users d where d.provider_id = ${providerId}`.execute(tx)
  const [facts] = rows
  if (!facts) return
  const active = !facts.deleted && (facts.role !== null || !facts.ever_member)
  if (facts.user_id === null) {
    if (facts.known) await createPerson(tx, providerId, facts, active)
    return
  }
  await sql`
    update users set name = ${facts.name}, email = ${facts.email}, image_url = ${facts.image_url}, active = ${active},
      role = case when role_by_hand then role else coalesce(${facts.role}, role) end, updated_at = now_ms()
    where id = ${facts.user_id}`.execute(tx)
  await announceAuthChange(tx)
}

type PersonFacts = {
  user_id: string | null
  name: string | null
  email: string | null
  image_url: string | null
  known: boolean
  deleted: boolean
  ever_member: boolean
  role: 'reader' | 'writer' | 'admin' | null
}

async function createPerson(
  tx: Db,
  providerId: string,
  { name, email, image_url, role }: PersonFacts,
  active: boolean,
): Promise<void> {
  const id = uuidv7()
  await tx
    .insertInto('users')
    .values({ id, name, email, image_url, role: role ?? 'reader', active })
    .execute()
  await sql`update directory_users set user_id = ${id} where provider_id = ${providerId}`.execute(tx)
}
