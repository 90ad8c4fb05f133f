// In charge of how long a person's credentials are valid: those made before the person's access last ended stay invalid.
import { type RawBuilder, sql } from 'kysely'

/**
 * In a statement that reads `users`: whether a credential made at this time is newer than the last end of its person's
 * access.
 */
export const madeSinceEnd = (madeAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(users.ended_at is null or ${madeAt} > users.ended_at)`
