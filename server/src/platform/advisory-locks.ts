// In charge of the advisory locks by which all processes of one database take turns. Each lock is released when its transaction ends.
import { sql } from 'kysely'
import type { Db } from './db.ts'

/** The key of each lock: any number, but a different one for each, and the same in every version of the service. */
const keys = {
  migration: 7_203_411,
  owner: 7_203_412,
  /** For checking whether an active admin would be left. */
  admins: 7_203_413,
  /** For changes of the identities that a provider has reported. */
  directory: 7_203_414,
  demo: 7_203_415,
}

/** Waits until no other transaction has this lock, and takes it. */
export async function takeLock(tx: Db, name: keyof typeof keys): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(keys[name])})`.execute(tx)
}

/** Takes the lock in shared mode: other transactions can have it in shared mode as well. */
export async function shareLock(tx: Db, name: keyof typeof keys): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(keys[name])})`.execute(tx)
}
