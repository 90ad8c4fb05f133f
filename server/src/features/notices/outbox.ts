// In charge of the SQL for the outbox, in which waiting notices become messages, and messages are claimed, sent and closed.
//
// Conditions compare times with `now()`, so that indexes are used (docs/migrations.md).
import type { Digest, NoticeChannel } from '@atelier/contract/notice-channels.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type AddressRow, addressRow, type OpenedAddress, openAddress } from './chat-addresses.ts'
import type { Timing } from './due.ts'

/** How many groups of waiting notices one turn handles. A group is the notices of one person for one channel. */
const groupsPerTurn = 100

/**
 * The waiting notices of a person for a channel. `dues`: the different times at which those that are due for a check became due, as
 * the database writes them.
 */
export type Group = {
  userId: string
  channel: NoticeChannel
  since: number
  dues: string[]
  last: number | null
  timing: Timing
}

type GroupRow = TimingRow & {
  user_id: string
  channel: NoticeChannel
  since: string
  dues: string[]
  last: string | null
}

/** The part of a row of `notice_settings` that a `Timing` is made of; nulls for a person without settings. */
type TimingRow = {
  digest: Digest | null
  digest_at: string | null
  quiet_from: string | null
  quiet_to: string | null
  time_zone: string | null
}
const timingColumns = sql`s.digest, s.digest_at, s.quiet_from, s.quiet_to, s.time_zone`

const timingOf = ({ digest, digest_at, quiet_from, quiet_to, time_zone }: TimingRow): Timing => ({
  ...{ digest: digest ?? 'at_once', digest_at: digest_at ?? '09:00', time_zone: time_zone ?? 'UTC' },
  quiet: quiet_from !== null && quiet_to !== null ? { from: quiet_from, to: quiet_to } : null,
})

/** Returns the groups of waiting notices that are due for a check, and the database's time (`now`; NaN if there is no group). */
export async function readGroups(
  db: Db,
  channels: readonly NoticeChannel[],
): Promise<{ groups: Group[]; now: number }> {
  const found = await sql<GroupRow & { now: string }>`
    select w.*, now_ms() as now, ${timingColumns},
      (select m.made_at from messages m where m.user_id = w.user_id and m.channel = w.channel
        order by m.made_at desc limit 1) as last
    from (
      select user_id, channel, min(at) as since, min(due_at) as due, array_agg(distinct due_at)::text[] as dues
      from deliveries
      where message_id is null and due_at <= now() and channel = any(${[...channels]}::text[])
      group by user_id, channel order by min(due_at), user_id, channel limit ${groupsPerTurn}) as w
    left join notice_settings s on s.user_id = w.user_id
    order by w.due, w.user_id, w.channel`.execute(db)
  const groups = found.rows.map((row) => ({
    ...{ userId: row.user_id, channel: row.channel, since: Date.parse(row.since), dues: row.dues },
    last: row.last === null ? null : Date.parse(row.last),
    timing: timingOf(row),
  }))
  return { groups, now: Date.parse(found.rows[0]?.now ?? '') }
}

/**
 * Postpones the next check of a group of waiting notices to the time `until`, in milliseconds since 1970. Notices that have become
 * due at another time since the group was read are left alone: their person has changed the settings on which `until` depends.
 */
export async function putOff(db: Db, { userId, channel, dues }: Group, until: number): Promise<void> {
  await sql`update deliveries set due_at = ${new Date(until).toISOString()}
    where user_id = ${userId} and channel = ${channel} and message_id is null and due_at = any(${dues}::timestamptz[])`.execute(
    db,
  )
}

/**
 * Puts all waiting notices of a person for a channel into one message, except notices that another process has locked. A notice that
 * has returned may still be in a message that is being retried: it is removed from that one, since the new message tells of it.
 */
export async function gather(db: Db, { userId, channel }: Group): Promise<void> {
  await sql`
    with taken as (
      select id, notice_id from deliveries where user_id = ${userId} and channel = ${channel} and message_id is null
      for update skip locked),
    unsent as (
      -- A message that is being closed has its rows locked and deletes them itself; waiting for it could be a deadlock.
      select d.id from deliveries d join taken on taken.notice_id = d.notice_id
      where d.channel = ${channel} and d.message_id is not null for update of d skip locked),
    removed as (delete from deliveries where id in (select id from unsent)),
    made as (
      insert into messages (id, user_id, channel)
      select ${uuidv7()}::uuid, ${userId}, ${channel} where exists (select from taken) returning id)
    update deliveries set message_id = made.id from made, taken where deliveries.id = taken.id`.execute(db)
}

export type Claimed = {
  id: string
  channel: NoticeChannel
  made_at: string
  tries: number
  /** How many seconds ago the message was composed. */
  age: number
  /** The database's time. */
  now: string
  user_id: string
}

/** Claims messages that are due. If this process dies, other processes can claim the messages after `leaseSeconds`. */
export async function claim(db: Db, channel: NoticeChannel, most: number, leaseSeconds: number): Promise<Claimed[]> {
  const claimed = await sql<Claimed>`
    update messages set tries = tries + 1, next_at = now_ms() + make_interval(secs => ${leaseSeconds})
    where id in (select id from messages where outcome is null and channel = ${channel} and next_at <= now()
      order by next_at, id limit ${most} for update skip locked)
    returning id, channel, made_at, tries, user_id, now_ms() as now,
      extract(epoch from now_ms() - made_at)::float8 as age`.execute(db)
  return claimed.rows
}

/**
 * Removes the waiting notices that are in this message too: they have returned since it was composed, and it tells of them. Called
 * before the notices of the message are read, so that what returns later still gets a message of its own.
 */
export async function takeReturned(db: Db, { id }: Claimed): Promise<void> {
  await sql`
    delete from deliveries where id in (
      select w.id from deliveries d join deliveries w on w.notice_id = d.notice_id and w.channel = d.channel
      where d.message_id = ${id} and w.message_id is null for update of w skip locked)`.execute(db)
}

type Person = { name: string | null; email: string | null }
export type Recipient = Person & { address: OpenedAddress | null; timing: Timing }

/**
 * Returns the recipient of a message, with the present addresses and settings; null if the person is no longer active. `address` is
 * that of the person's own chat, otherwise that of the workspace's chat, and null if there is neither.
 */
export async function readRecipient(db: Db, sealing: Sealing, userId: string): Promise<Recipient | null> {
  const found = await sql<Person & TimingRow & { address: AddressRow | null }>`
    select u.name, u.email, ${timingColumns}, (select ${addressRow} from chat_addresses a
      where a.user_id = u.id or a.user_id is null order by a.user_id nulls last limit 1) as address
    from users u left join notice_settings s on s.user_id = u.id where u.id = ${userId} and u.active`.execute(db)
  const [row] = found.rows
  if (row === undefined) return null
  const { name, email, address } = row
  return { name, email, address: address && openAddress(sealing, address), timing: timingOf(row) }
}

type Ending = { outcome: 'sent' | 'refused' | 'given_up' | 'unneeded'; said: string | null }

/** Closes a message. If another process has claimed the message in the meantime, only the outcome `sent` closes it. */
export async function endMessage(db: Db, { id, tries }: Claimed, { outcome, said }: Ending): Promise<void> {
  await sql`
    with ended as (
      update messages set outcome = ${outcome}, said = ${said}, ended_at = now_ms()
      where id = ${id} and outcome is null and (tries = ${tries} or ${outcome === 'sent'}) returning id)
    delete from deliveries where message_id in (select id from ended)`.execute(db)
}

export async function tryLater(db: Db, { id, tries }: Claimed, said: string, afterSeconds: number): Promise<void> {
  await sql`update messages set said = ${said}, next_at = now_ms() + make_interval(secs => ${afterSeconds})
    where id = ${id} and outcome is null and tries = ${tries}`.execute(db)
}

/** Puts off a message that is not to be sent in quiet hours, to `until`. It was not tried, so this does not count as a try. */
export async function waitOutQuiet(db: Db, { id, tries }: Claimed, until: number): Promise<void> {
  await sql`update messages set tries = tries - 1, next_at = ${new Date(until).toISOString()}
    where id = ${id} and outcome is null and tries = ${tries}`.execute(db)
}

/**
 * How many days rows are kept. `waiting`: notices that are not in a message yet; `unsent`: such notices, for a channel on which
 * this process does not send; `ended`: closed messages.
 */
const keptDays = { waiting: 3, unsent: 1, ended: 7 }
/** How many rows one statement of `forgetOld` deletes at most. */
const mostForgotten = 10_000

/**
 * Deletes waiting notices that are too old and messages that were closed long ago. Waiting notices for channels on which this
 * process does not send, which are those not in `sends`, are deleted sooner.
 */
export async function forgetOld(db: Db, sends: readonly NoticeChannel[]): Promise<void> {
  await sql`delete from deliveries where id in (
    select id from deliveries where message_id is null and at < now() - make_interval(days => ${keptDays.waiting})
    limit ${mostForgotten} for update skip locked)`.execute(db)
  await sql`delete from deliveries where id in (
    select id from deliveries where message_id is null and channel <> all(${[...sends]}::text[])
      and due_at < now() - make_interval(days => ${keptDays.unsent})
    limit ${mostForgotten} for update skip locked)`.execute(db)
  await sql`delete from messages where id in (
    select id from messages where outcome is not null and ended_at < now() - make_interval(days => ${keptDays.ended})
    limit ${mostForgotten} for update skip locked)`.execute(db)
}

/**
 * Returns, in seconds, the longest wait in the outbox: that of the oldest message that is not closed, or of the notice that has
 * been due the longest. 0 if there is neither.
 */
export async function oldestWaiting(db: Db, channels: readonly NoticeChannel[]): Promise<number> {
  const found = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now_ms() - least(
      (select min(made_at) from messages where outcome is null and channel = any(${[...channels]}::text[])),
      (select min(due_at) from deliveries where message_id is null and channel = any(${[...channels]}::text[])
        and due_at <= now()))), 0)::float8 as seconds`.execute(db)
  return found.rows[0]?.seconds ?? 0
}
