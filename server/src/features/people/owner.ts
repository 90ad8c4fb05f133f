// In charge of creating the owner and the owner's token when the service starts for the first time.

import { scopes } from '@atelier/contract/enums.ts'
import { takeLock } from '../../platform/advisory-locks.ts'
import { hashToken, insertToken, newToken } from '../../platform/auth.ts'
import type { Database, Db } from '../../platform/db.ts'
import { insertUser } from './store.ts'

/** The result of creating the owner. `token` is the owner's token as plain text, which cannot be read again later. */
export type FirstStart = { ownerId: string; token: string }

/**
 * Creates the owner if there is no admin yet; returns null if there is one. `givenToken` is the token that the operator has
 * configured; null: a new owner gets a random token. A given token becomes a token of the new owner or else of the active admin who
 * joined first, so that a scripted set-up also works with an existing database. If no admin is active, nobody gets the token.
 * `keep` gets a random token before the transaction commits. If it throws, no owner is created, so the next start tries again.
 */
export async function ensureOwner(
  database: Database,
  givenToken: string | null,
  keep: (token: string) => void = () => undefined,
): Promise<FirstStart | null> {
  return database.tx(async (tx) => {
    await takeLock(tx, 'owner')
    const owner = await tx
      .selectFrom('users')
      .select(['id', 'active'])
      .where('role', '=', 'admin')
      .orderBy('active', 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (owner) {
      if (givenToken && owner.active) await ensureToken(tx, owner.id, givenToken)
      return null
    }
    const ownerId = await insertUser(tx, { name: 'Owner', email: null, role: 'admin', owner: true })
    const token = givenToken ?? newToken()
    await ensureToken(tx, ownerId, token)
    if (givenToken === null) keep(token)
    return { ownerId, token }
  })
}

async function ensureToken(tx: Db, userId: string, token: string): Promise<void> {
  const known = await tx.selectFrom('tokens').select('id').where('hash', '=', hashToken(token)).executeTakeFirst()
  if (!known) await insertToken(tx, { name: 'Owner', token, scopes, userId, expiresAt: null })
}
