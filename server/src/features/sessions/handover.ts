// In charge of changing who is signed in at a browser: the browser's previous session ends, and a new one begins.
import { type Auth, announceAuthChange } from '../../platform/auth.ts'
import { afterCommit, type Db } from '../../platform/db.ts'
import { beginSession, endSessions } from './store.ts'

/** Begins a session, and returns the value of its cookie. `former`: the hashes of the browser's previous sessions, which end. */
export async function beginInstead(tx: Db, auth: Auth, userId: string, former: readonly Buffer[]): Promise<string> {
  await endEverywhere(tx, auth, former)
  return beginSession(tx, userId)
}

/** Ends the sessions with these hashes, and removes their tokens from the caches of all processes. */
export async function endEverywhere(tx: Db, auth: Auth, hashes: readonly Buffer[]): Promise<void> {
  if (!(await endSessions(tx, hashes))) return
  await announceAuthChange(tx)
  afterCommit(tx, auth.forget)
}
