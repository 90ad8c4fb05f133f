// In charge of how long a process that is frozen, not dead, can keep locked what all others wait for: the row of a provider, of a
// run or of a budget.
import { sql } from 'kysely'

/**
 * After how many seconds without a statement PostgreSQL ends a transaction that holds such a row, and its connection. A process that
 * writes the end of a run with 100,000 items on a busy machine computes for some seconds between two statements.
 */
const idleSeconds = 10

/**
 * An expression, never null, that limits the idle time of the rest of its transaction. It is part of the statement that locks the
 * row, so it takes no round trip of its own. The limit of the whole session is longer, for those who read slowly.
 *
 * It only shortens a limit that the session has. The embedded database has none: it would not survive one, and needs none, because
 * it is frozen together with the process that locks its rows.
 */
export const limitsIdleTime = sql<string>`set_config('idle_in_transaction_session_timeout',
  case current_setting('idle_in_transaction_session_timeout') when '0' then '0' else ${sql.lit(`${idleSeconds}s`)} end, true)`
