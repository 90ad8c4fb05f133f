// In charge of changing who a browser is signed in as: the previous session ends everywhere, and a new one begins.
import { type Auth, announceAuthChange } from '../../platform/auth.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { beginSession, endSession } from './store.ts'

/** Begins a session that replaces the previous one of this browser, so that the old cookie is invalid for the new person. */
export async function beginInstead(tx: Db, auth: Auth, userId: string, former: string | null): Promise<string> {
  if (former !== null) await endEverywhere(tx, auth, former)
  return beginSession(tx, userId)
}

/** Ends a session, and clears its tokens from the caches of all processes. */
export async function endEverywhere(tx: Db, auth: Auth, secret: string): Promise<void> {
  if (!(await endSession(tx, secret))) return
  await announceAuthChange(tx)
  afterCommit(tx, auth.forget)
}
