// In charge of keys that every process shares: made once, kept in the database.
import { randomBytes } from 'node:crypto'
import type { Db } from './db.ts'

/** The key of this name, made by whichever process asks first. */
export async function sharedSecret(db: Db, name: string): Promise<Buffer> {
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow()
  return Buffer.from(row.value)
}
