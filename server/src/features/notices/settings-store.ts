// In charge of the SQL for people's settings of notices by mail and chat.
import { type NoticeKind, noticeKinds, noticeRules } from '@atelier/contract/notice-kinds.ts'
import type { ChatAddress, NoticeSettings, NoticeSettingsPatch } from '@atelier/contract/notice-settings.ts'
import { notFound } from '@atelier/contract/wire/errors.ts'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
import type { NoticeSettingsTable } from '../../platform/tables.ts'
import { type AddressRow, addressRow, openAddress, setChat } from './chat-addresses.ts'

type Chosen = Partial<Record<NoticeKind, boolean>>
type SettingsRow = Pick<NoticeSettings, 'digest' | 'digest_at' | 'time_zone'> & {
  email: string | null
  mail_kinds: Chosen
  chat_kinds: Chosen
  quiet_from: string | null
  quiet_to: string | null
  chat: AddressRow | null
  workspace_chat: AddressRow | null
}

/** What `readSettings` needs: whether a mail server is set up, and the keys that decrypt addresses. */
type Reading = { isMailSetUp: boolean; sealing: Sealing }

export async function readSettings(db: Db, userId: string, { isMailSetUp, sealing }: Reading): Promise<NoticeSettings> {
  const found = await sql<SettingsRow>`
    select u.email, coalesce(s.mail_kinds, '{}') as mail_kinds, coalesce(s.chat_kinds, '{}') as chat_kinds,
      coalesce(s.digest, 'at_once') as digest, coalesce(s.digest_at, '09:00') as digest_at, s.quiet_from, s.quiet_to,
      coalesce(s.time_zone, 'UTC') as time_zone,
      (select ${addressRow} from chat_addresses a where a.user_id = u.id) as chat,
      (select ${addressRow} from chat_addresses a where a.user_id is null) as workspace_chat
    from users u left join notice_settings s on s.user_id = u.id where u.id = ${userId}`.execute(db)
  const [row] = found.rows
  if (!row) throw notFound('person', userId)
  const { email, mail_kinds, chat_kinds, digest, digest_at, quiet_from, quiet_to, time_zone } = row
  return {
    mail: { is_set_up: isMailSetUp, address: email },
    chat: row.chat && shownAddress(sealing, row.chat),
    workspace_chat: row.workspace_chat && shownAddress(sealing, row.workspace_chat),
    mail_kinds: noticeKinds.filter((kind) => mail_kinds[kind] ?? noticeRules[kind].mailed),
    chat_kinds: noticeKinds.filter((kind) => chat_kinds[kind] ?? false),
    ...{ digest, digest_at, time_zone },
    quiet: quiet_from !== null && quiet_to !== null ? { from: quiet_from, to: quiet_to } : null,
  }
}

/** Returns only the host and the end of an address, since whoever knows the whole address can post to the chat. */
function shownAddress(sealing: Sealing, row: AddressRow): ChatAddress {
  const { service, url } = openAddress(sealing, row)
  return { service, host: url === null ? null : new URL(url).host, ends_with: url === null ? null : url.slice(-4) }
}

export async function changeSettings(
  tx: Db,
  sealing: Sealing,
  userId: string,
  patch: NoticeSettingsPatch,
): Promise<void> {
  const { mail_kinds, chat_kinds, digest, digest_at, quiet, time_zone, chat } = patch
  const given: Partial<Insertable<NoticeSettingsTable>> = {
    ...(mail_kinds && { mail_kinds: JSON.stringify(chosenOf(mail_kinds)) }),
    ...(chat_kinds && { chat_kinds: JSON.stringify(chosenOf(chat_kinds)) }),
    ...(digest && { digest }),
    ...(digest_at && { digest_at }),
    ...(quiet !== undefined && { quiet_from: quiet?.from ?? null, quiet_to: quiet?.to ?? null }),
    ...(time_zone && { time_zone }),
  }
  // Members that are not given keep what they have at the moment of the write: another change may have been saved just before.
  await tx
    .insertInto('notice_settings')
    .values({ user_id: userId, ...given })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId, ...given }))
    .execute()
  if (chat !== undefined) await setChat(tx, sealing, userId, chat)
  await applyToWaiting(tx, sealing, userId)
}

const chosenOf = (kinds: readonly NoticeKind[]): Chosen =>
  Object.fromEntries(noticeKinds.map((kind) => [kind, kinds.includes(kind)]))

/**
 * Applies changed settings to a person's waiting notices: removes the kinds that the person no longer wants, and has the others
 * checked at once, so that the new settings determine when they are sent.
 */
async function applyToWaiting(tx: Db, sealing: Sealing, userId: string): Promise<void> {
  const { mail_kinds, chat_kinds } = await readSettings(tx, userId, { isMailSetUp: false, sealing })
  for (const [channel, kinds] of Object.entries({ mail: mail_kinds, chat: chat_kinds })) {
    await sql`delete from deliveries d using notices n where n.id = d.notice_id and d.user_id = ${userId}
      and d.channel = ${channel} and d.message_id is null and n.kind <> all(${kinds}::text[])`.execute(tx)
  }
  await sql`update deliveries set due_at = now_ms() where user_id = ${userId} and message_id is null`.execute(tx)
}
