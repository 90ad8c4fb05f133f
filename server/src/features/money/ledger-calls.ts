// In charge of the SQL that reads a provider's calls from the ledger, to compare them with the provider's list of charges.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { isUuid } from '../../platform/ids.ts'
import type { LedgerCall, Span } from './reconcile.ts'

type Asked = { provider: string; currency: string; span: Span; ids: readonly string[] }

const day = 86_400_000

/**
 * Returns the calls of one provider that began within the span or at most a day before or after it, because a provider may charge a
 * call later than it began, and those with one of these ids. Calls that were booked as free are among them.
 */
export async function readLedgerCalls(db: Db, { provider, currency, span, ids }: Asked): Promise<LedgerCall[]> {
  const [from, to] = [span.from - day, span.to + day].map((time) => new Date(time).toISOString())
  const { rows } = await sql<LedgerCall>`
    select id, run_id, model, outcome, amount::float8 as amount, extract(epoch from at)::float8 * 1000 as begun,
      extract(epoch from coalesce(settled_at, at))::float8 * 1000 as ended
    from credit_entries
    where starts_with(model, ${`${provider}:`}) and currency = ${currency}
      and (at >= ${from}::timestamptz and at < ${to}::timestamptz or id = any(${ids.filter(isUuid)}::uuid[]))
    order by at, id`.execute(db)
  return rows
}
