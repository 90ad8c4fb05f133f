// In charge of until when the credentials of a person hold: whatever was made before their access last ended is over for good.
import { type RawBuilder, sql } from 'kysely'

/** Of a statement that reads `users`: whether a credential made at this time is newer than what ended its person's access. */
export const madeSinceEnd = (madeAt: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(users.ended_at is null or ${madeAt} > users.ended_at)`
