// In charge of storing the addresses of chats. Whoever knows an address can post to the chat; so addresses are encrypted (sealed)
// if the settings have a key. Addresses that were stored as plain text before the key was set can still be read.
import type { ChatService } from '@atelier/contract/notice-channels.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { Sealing } from '../../platform/sealing.ts'

export type Address = { service: ChatService; url: string }

/** A chat's address as the database stores it. `user_id` is null for the workspace's chat; `url` may be encrypted. */
export type AddressRow = Address & { user_id: string | null }

/** A chat's address with its `url` decrypted. `url` is null if none of the keys in the settings can decrypt it. */
export type OpenedAddress = { service: ChatService; url: string | null }

const placeOf = (userId: string | null): string => `chat address ${userId ?? 'of the workspace'}`
const isPlain = (kept: string): boolean => /^https?:/i.test(kept)
const keptAs = (sealing: Sealing, userId: string | null, url: string): string =>
  sealing.canSeal ? sealing.seal(url, placeOf(userId)) : url

export const openAddress = (sealing: Sealing, { user_id, service, url }: AddressRow): OpenedAddress => ({
  service,
  url: isPlain(url) ? url : sealing.open(url, placeOf(user_id)),
})

/** SQL that builds an `AddressRow` from a row of the table `chat_addresses`, which has the alias `a`. */
export const addressRow = sql.raw(`json_build_object('user_id', a.user_id, 'service', a.service, 'url', a.url)`)

/** Sets the chat of a user, or the chat of the workspace if `userId` is null. A `chat` of null removes the address. */
export async function setChat(tx: Db, sealing: Sealing, userId: string | null, chat: Address | null): Promise<void> {
  if (chat === null) {
    await sql`delete from chat_addresses where user_id is not distinct from ${userId}`.execute(tx)
    return
  }
  await sql`
    insert into chat_addresses (user_id, service, url)
    values (${userId}, ${chat.service}, ${keptAs(sealing, userId, chat.url)})
    on conflict ((coalesce(user_id, '00000000-0000-0000-0000-000000000000')))
    do update set service = excluded.service, url = excluded.url`.execute(tx)
}

const batch = 500

/**
 * Encrypts the chat addresses that are stored as plain text or encrypted with a former key. Called periodically. If somebody
 * changes an address after it was read here, the update does not find it, so the change is not lost.
 */
export async function sealChats(db: Db, sealing: Sealing): Promise<void> {
  if (!sealing.canSeal) return
  let after: string | null = null
  for (;;) {
    const found: { key: string; user_id: string | null; service: ChatService; url: string }[] = (
      await sql<{ key: string } & AddressRow>`
        select * from (select coalesce(user_id, '00000000-0000-0000-0000-000000000000') as key, user_id, service, url
          from chat_addresses) as a
        ${after === null ? sql`` : sql`where key > ${after}::uuid`} order by key limit ${batch}`.execute(db)
    ).rows
    for (const row of found) {
      const { url } = openAddress(sealing, row)
      if (url === null || !(isPlain(row.url) || sealing.isOutdated(row.url))) continue
      await sql`update chat_addresses set url = ${sealing.seal(url, placeOf(row.user_id))}
        where user_id is not distinct from ${row.user_id} and url = ${row.url}`.execute(db)
    }
    after = found.at(-1)?.key ?? null
    if (found.length < batch) return
  }
}
