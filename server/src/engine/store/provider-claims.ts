// In charge of the SQL that divides the calls to a provider among the processes. Each transaction locks the provider's row
// before it reads anything, so the transactions for one provider are executed one after the other.
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { bucketOf, type Claim, grantOf, type ProviderLimit } from '../model/provider-limits.ts'
import { limitsIdleTime } from './brief-locks.ts'

/**
 * What a process (`holder`) reports. `used`: how many of its calls are in progress; `waiting`: how many wait; `unbegun`: if
 * there is a limit per minute, how many of the calls that earlier replies allowed have not begun yet; otherwise 0.
 */
export type ClaimRequest = {
  holder: string
  used: number
  waiting: number
  unbegun: number
  /**
   * For how many seconds the provider accepts no calls, if the provider has said so to this process since its last report;
   * otherwise 0.
   */
  closedSeconds: number
}

export type ClaimReply = {
  granted: number
  share: number
  /** How many calls the process may begin until its next report; null if there is no limit per minute. */
  begin: number | null
  /** After how many seconds a new report may be granted more calls; null if that depends on other processes. */
  againSeconds: number | null
  closedSeconds: number
}

/** A process that has not reported for this many seconds has no share any more. */
export const claimSeconds = 15

/** Stores what a process reports about a provider. Returns the process's new share, which is valid until it reports again. */
export async function renewClaim(tx: Db, limit: ProviderLimit, request: ClaimRequest): Promise<ClaimReply> {
  const provider = await lockProvider(tx, limit)
  const { rows: claims } = await sql<Claim>`
    select holder, granted, wanted, coalesce(extract(epoch from served_at), 0)::float8 as "servedAt"
    from provider_claims where provider = ${limit.name} and seen_at > now_ms() - make_interval(secs => ${claimSeconds})`.execute(
    tx,
  )
  const wanted = request.used + request.waiting
  const before = claims.find(({ holder }) => holder === request.holder)
  const others = claims.filter(({ holder }) => holder !== request.holder)
  const mine = { holder: request.holder, granted: 0, servedAt: before?.servedAt ?? 0, used: request.used, wanted }
  const { share, granted } = grantOf(limit.calls, mine, others)
  const closedSeconds = Math.max(provider.closedSeconds, request.closedSeconds)

  const tokens = provider.tokens + request.unbegun
  const usable = closedSeconds > 0 ? 0 : Math.max(0, Math.min(granted - request.used, request.waiting))
  // `tokens` is negative if this process has begun calls with tokens that an earlier reply, still on its way then, took back.
  const begin = limit.perMinute === null ? null : Math.max(0, Math.min(Math.floor(tokens), usable))
  await keepClaim(tx, limit.name, { ...mine, granted, served: granted > (before?.granted ?? 0) })
  await keepProvider(tx, limit, { tokens: tokens - (begin ?? 0), closedSeconds: request.closedSeconds })
  if (isNewsToOthers(before, { granted, wanted }, others) || request.closedSeconds > 0) {
    // If the notification gets lost, the other processes notice the change with their next report, a few seconds later.
    await sql`select pg_notify('atelier_providers', ${`${request.holder} ${limit.name}`})`.execute(tx)
  }
  const isShort = begin !== null && begin < usable
  const { perSecond } = bucketOf(limit.perMinute ?? 1)
  const untilToken = isShort ? (1 - (tokens - begin)) / perSecond : null
  return { granted, share, begin, closedSeconds, againSeconds: closedSeconds > 0 ? closedSeconds : untilToken }
}

/**
 * Whether other processes have to be notified: because this process wants more calls than it was granted, or because it has
 * returned calls that others wait for.
 */
function isNewsToOthers(
  before: Claim | undefined,
  { granted, wanted }: Pick<Claim, 'granted' | 'wanted'>,
  others: readonly Claim[],
): boolean {
  const isShort = granted < wanted && wanted > (before?.wanted ?? 0)
  const gaveBack = granted < (before?.granted ?? 0)
  return (isShort && others.length > 0) || (gaveBack && others.some((claim) => claim.granted < claim.wanted))
}

type Provider = { tokens: number; closedSeconds: number }

/**
 * Locks a provider's row (creates it if it is missing), and adds the tokens for the time since the last refill. If the clock of
 * the database has been set back since then, no tokens are added, and time is counted from the new time on.
 */
async function lockProvider(tx: Db, { name, perMinute }: ProviderLimit): Promise<Provider> {
  const { size, perSecond } = bucketOf(perMinute ?? 1)
  const { rows } = await sql<Provider>`
    insert into providers as p (name, tokens, filled_at) values (${name}, ${size}, now_ms())
    on conflict (name) do update set
      tokens = least(${size}::float8, p.tokens
        + greatest(0, extract(epoch from now_ms() - p.filled_at))::float8 * ${perSecond}::float8),
      filled_at = now_ms()
    returning tokens, greatest(0, coalesce(extract(epoch from closed_until - now_ms()), 0))::float8 as "closedSeconds",
      ${limitsIdleTime} as limited`.execute(tx)
  const [provider] = rows
  if (!provider) throw new Error(`The provider ${name} has no row.`)
  return provider
}

async function keepProvider(tx: Db, { name, perMinute }: ProviderLimit, { tokens, closedSeconds }: Provider) {
  if (perMinute === null && closedSeconds === 0) return
  await sql`
    update providers set tokens = ${tokens},
      closed_until = case when ${closedSeconds}::float8 > 0
        then greatest(closed_until, now_ms() + make_interval(secs => ${closedSeconds})) else closed_until end
    where name = ${name}`.execute(tx)
}

async function keepClaim(
  tx: Db,
  provider: string,
  { holder, granted, wanted, served }: Omit<Claim, 'servedAt'> & { served: boolean },
): Promise<void> {
  if (wanted === 0) return dropClaim(tx, provider, holder)
  await sql`
    insert into provider_claims as c (provider, holder, granted, wanted, served_at, seen_at)
    values (${provider}, ${holder}, ${granted}, ${wanted}, case when ${served} then now_ms() end, now_ms())
    on conflict (provider, holder) do update set granted = excluded.granted, wanted = excluded.wanted,
      served_at = coalesce(excluded.served_at, c.served_at), seen_at = excluded.seen_at`.execute(tx)
}

/** Removes the claim of a process that wants no calls, and the claims of processes that have not reported for long. */
async function dropClaim(tx: Db, provider: string, holder: string): Promise<void> {
  await sql`
    delete from provider_claims where provider = ${provider}
      and (holder = ${holder} or seen_at < now_ms() - make_interval(secs => ${claimSeconds * 4}))`.execute(tx)
}

/** Removes the claims of all processes. */
export async function forgetClaims(db: Db): Promise<void> {
  await db.deleteFrom('provider_claims').execute()
}
