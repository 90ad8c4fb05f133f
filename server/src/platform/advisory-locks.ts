// In charge of the advisory locks that keep processes of one database from doing the same work at the same time. Each lock is
// released when the transaction that took it ends.
import { sql } from 'kysely'
import { type Db, kept } from './db.ts'

/** The number of each lock. Numbers are arbitrary but unique, and must stay the same in all versions of the service. */
const keys = {
  migration: 7_203_411,
  owner: 7_203_412,
  /** Taken by `changeUser`, so that two simultaneous changes cannot each remove one of the last two active admins. */
  admins: 7_203_413,
  /** For changes of `directory_users`, the users that the identity provider has reported. */
  directory: 7_203_414,
  /**
   * Version 0.2.0 uses 7_203_413 for it. So a process of 0.2.0 and one of this version may both seed the demo, if they start at the
   * same moment on a database without tasks; the tasks of one demo can then be deleted. This version does not take that number as
   * well, because `changeUser` would have to wait while the demo is seeded.
   */
  demo: 7_203_415,
}

/**
 * The first number of the locks of names. Locks with two numbers never conflict with those above, which have one. The second number
 * is a hash of the name, cut to 1,024 values: a transaction that names thousands of records takes no more locks than that, of the
 * about 6,400 for which a PostgreSQL server has room with its default settings.
 */
const ofNames = 7_203_416
const nameHashes = 1024

/** Waits until no other transaction has this lock, and takes it. */
export async function takeLock(tx: Db, name: keyof typeof keys): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(keys[name])})`.execute(tx)
}

/** Takes the lock in shared mode: several transactions can share it at the same time, but none of them together with `takeLock`. */
export async function shareLock(tx: Db, name: keyof typeof keys): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${sql.lit(keys[name])})`.execute(tx)
}

/**
 * Waits until no other transaction has the lock of any of these names, and takes all of them. Locks are taken in the order of their
 * numbers, so that two transactions which each call this once do not wait for each other.
 */
export const takeNames = (tx: Db, names: readonly string[]): Promise<void> =>
  lockNames(tx, 'pg_advisory_xact_lock', names)

/** Takes the locks of these names in shared mode: see `shareLock`. */
export const shareNames = (tx: Db, names: readonly string[]): Promise<void> =>
  lockNames(tx, 'pg_advisory_xact_lock_shared', names)

async function lockNames(tx: Db, how: string, names: readonly string[]): Promise<void> {
  await sql`${sql.raw(kept(how))}
    select ${sql.raw(how)}(${sql.lit(ofNames)}, hash)
    from (
      select distinct hashtext(name) & ${sql.lit(nameHashes - 1)} as hash from unnest(${[...names]}::text[]) as name order by 1
    ) as hashes`.execute(tx)
}
