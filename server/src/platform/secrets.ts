// In charge of secret keys that all processes share. A key is generated once and stored in the database.
import { randomBytes } from 'node:crypto'
import type { Db } from './db.ts'

/** Returns the key with this name; the first process that needs the key generates it. */
export async function sharedSecret(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(row.value)
}
