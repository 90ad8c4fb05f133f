// In charge of deciding if a credential is still valid: when a person's access ends, all credentials made before become invalid.
import { type RawBuilder, sql } from 'kysely'

/**
 * Returns an SQL condition for queries that read `users`. It is true if a credential that was made at `madeAt` is newer than the
 * time when the person's access last ended.
 */
export const madeSinceEnd = (madeAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(users.ended_at is null or ${madeAt} > users.ended_at)`
