// In charge of changing who is signed in at a browser: the browser's previous session ends, and a new one begins.
import { type Auth, announceAuthChange } from '../../platform/auth.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { beginSession, endSession } from './store.ts'

/**
 * Begins a session, and returns the value of its cookie. `former`: the value of the browser's previous cookie, whose session ends;
 * null if the browser had none.
 */
export async function beginInstead(tx: Db, auth: Auth, userId: string, former: string | null): Promise<string> {
  if (former !== null) await endEverywhere(tx, auth, former)
  return beginSession(tx, userId)
}

/** Ends a session, and removes the session's tokens from the caches of all processes. */
export async function endEverywhere(tx: Db, auth: Auth, secret: string): Promise<void> {
  if (!(await endSession(tx, secret))) return
  await announceAuthChange(tx)
  afterCommit(tx, auth.forget)
}
