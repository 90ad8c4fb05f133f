// In charge of the SQL that reads a provider's calls from the ledger, to compare them with the provider's list of charges.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import type { LedgerCall } from './reconcile.ts'

/** Returns the calls of one provider that began at `from` or later but before `to`, including calls that were booked as free. */
export async function readLedgerCalls(
  db: Db,
  { provider, currency, from, to }: { provider: string; currency: string; from: Date; to: Date },
): Promise<LedgerCall[]> {
  const { rows } = await sql<LedgerCall>`
    select id, run_id, model, outcome, amount::float8 as amount, extract(epoch from at)::float8 * 1000 as begun,
      extract(epoch from coalesce(settled_at, at))::float8 * 1000 as ended
    from credit_entries
    where starts_with(model, ${`${provider}:`}) and currency = ${currency} and at >= ${from.toISOString()}::timestamptz
      and at < ${to.toISOString()}::timestamptz
    order by at, id`.execute(db)
  return rows
}
