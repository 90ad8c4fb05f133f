// In charge of how long a person's credentials are valid: when a person's access ends, all earlier credentials become invalid.
import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL condition for statements that read `users`: whether a credential made at this time is newer than the last end of the
 * person's access.
 */
export const madeSinceEnd = (madeAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(users.ended_at is null or ${madeAt} > users.ended_at)`
