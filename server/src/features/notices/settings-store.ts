// In charge of the SQL for people's settings of notices by mail and chat.
import type { NoticeChannel } from '@atelier/contract/notice-channels.ts'
import { type NoticeKind, noticeKinds, noticeRules } from '@atelier/contract/notice-kinds.ts'
import type { ChatAddress, NoticeSettings, NoticeSettingsPatch } from '@atelier/contract/notice-settings.ts'
import { notFound } from '@atelier/contract/wire/errors.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'
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
  const now = await readSettings(tx, userId, { isMailSetUp: false, sealing })
  const next = { ...now, ...defined({ digest, digest_at, quiet, time_zone }) }
  const kinds = (channel: NoticeChannel, chosen: readonly NoticeKind[] | undefined) =>
    chosen === undefined
      ? sql`notice_settings.${sql.ref(`${channel}_kinds`)}`
      : sql`${JSON.stringify(chosenOf(chosen))}::jsonb`
  await sql`
    insert into notice_settings (user_id, mail_kinds, chat_kinds, digest, digest_at, quiet_from, quiet_to, time_zone)
    values (${userId}, ${JSON.stringify(mail_kinds ? chosenOf(mail_kinds) : {})}::jsonb,
      ${JSON.stringify(chat_kinds ? chosenOf(chat_kinds) : {})}::jsonb, ${next.digest}, ${next.digest_at},
      ${next.quiet?.from ?? null}, ${next.quiet?.to ?? null}, ${next.time_zone})
    on conflict (user_id) do update set mail_kinds = ${kinds('mail', mail_kinds)},
      chat_kinds = ${kinds('chat', chat_kinds)}, digest = excluded.digest, digest_at = excluded.digest_at,
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, time_zone = excluded.time_zone`.execute(tx)
  if (chat !== undefined) await setChat(tx, sealing, userId, chat)
  await applyToWaiting(tx, sealing, userId)
}

const defined = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as never

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
