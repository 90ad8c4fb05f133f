// In charge of the SQL for users: listing, adding and changing them.

import type { Role } from '@atelier/contract/enums.ts'
import type { UserPatch } from '@atelier/contract/workspace.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { takeLock } from '../../platform/advisory-locks.ts'
import type { Position } from '../../platform/cursor.ts'
import { type Db, tellChanged } from '../../platform/db.ts'

const userText = sql<string>`json_build_object('id', id, 'name', name, 'email', email, 'image_url', image_url,
  'role', role, 'active', active, 'created_at', iso(created_at))::text`

/** Lists users by name, regardless of upper and lower case. Users without a name come last. */
export async function listUsers(
  db: Db,
  after: Position | null,
  take: number,
): Promise<{ id: string; key: string | null; text: string }[]> {
  const start =
    after === null
      ? sql`true`
      : after.key === null
        ? sql`name is null and id > ${after.id}`
        : sql`name is null or (lower(name collate "C"), id) > (${after.key}::text collate "C", ${after.id}::uuid)`
  const found = await sql<{ id: string; key: string | null; text: string }>`
    select id, lower(name collate "C") as key, ${userText} as text from users where ${start}
    order by lower(name collate "C") nulls last, id limit ${take}`.execute(db)
  return found.rows
}

export async function readUser(db: Db, id: string): Promise<string | null> {
  const found = await sql<{ text: string }>`select ${userText} as text from users where id = ${id}`.execute(db)
  return found.rows[0]?.text ?? null
}

export async function insertUser(
  db: Db,
  user: { name: string | null; email: string | null; role: Role; owner?: boolean },
): Promise<string> {
  const id = uuidv7()
  await db
    .insertInto('users')
    .values({ id, image_url: null, ...user })
    .execute()
  tellChanged(db, 'person', id)
  return id
}

/**
 * The columns that store an admin's decision about a user's access. Only an admin can change the decision. Ending the access also
 * ends the user's sessions and tokens, which stay invalid even if the user gets access again.
 */
const decided = (active: boolean) => ({
  active,
  active_by_hand: active,
  active_decided_at: sql<string>`now_ms()`,
  ...(active ? {} : { ended_at: sql<string>`now_ms()` }),
})

/**
 * Changes a user and returns the user as JSON text; null if there is no such user. `last_admin` means that the
 * change leaves no active admin: the caller has to throw, so that the transaction is rolled back.
 */
export async function changeUser(tx: Db, id: string, patch: UserPatch): Promise<string | 'last_admin' | null> {
  await takeLock(tx, 'admins')
  // Creating a session locks the user's row, too. Since the row is locked before `ended_at` is set, no session can begin after
  // `ended_at` while this transaction is still open.
  const before = await tx
    .selectFrom('users')
    .select(['role', 'active'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  const { name, email, role, active } = patch
  const set = {
    ...(name === undefined ? {} : { name }),
    ...(email === undefined ? {} : { email }),
    ...(role === undefined ? {} : { role, role_by_hand: true }),
    ...(active === undefined ? {} : decided(active)),
  }
  await tx
    .updateTable('users')
    .set({ ...set, updated_at: sql<string>`now_ms()` })
    .where('id', '=', id)
    .execute()
  tellChanged(tx, 'person', id)
  const wasAdmin = before?.role === 'admin' && before.active
  const isAdmin = (role ?? before?.role) === 'admin' && (active ?? before?.active)
  // There may be no active admin at all, after the identity provider has ended the access of the last one. Then everything else
  // about people can still be changed.
  if (!wasAdmin || isAdmin) return readUser(tx, id)
  const admin = await tx
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('active', '=', true)
    .limit(1)
    .executeTakeFirst()
  return admin ? readUser(tx, id) : 'last_admin'
}
