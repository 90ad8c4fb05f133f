// In charge of deciding whether a credential is still valid: when a person's access ends, all credentials made until then become
// invalid.
import { type RawBuilder, sql } from 'kysely'

/**
 * Returns an SQL condition for queries that read `users`. The condition is true if the user's access has never ended, or if it last
 * ended before `madeAt`, the time at which a credential of the user was made.
 */
export const madeSinceEnd = (madeAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(users.ended_at is null or ${madeAt} > users.ended_at)`
