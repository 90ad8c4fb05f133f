// In charge of computing how many calls to a provider may be in progress, in total and in each process. Pure.
import type { NodeType } from '../../nodes/node-type.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'

/**
 * `name`: the name of the limit in the settings; for a provider without a limit there, its host. `calls`: how many calls may
 * be in progress at the same time. `perMinute`: how many may begin in a minute; null if the rate is not limited.
 */
export type ProviderLimit = { name: string; calls: number; perMinute: number | null }

/**
 * The limit that applies to calls to a provider. `provider` has the form `host/path:model`; a limit applies if its name is
 * all of this text, or the part before one of its slashes or colons. The longest such name wins. If there is none, the limit
 * `*` applies, separately for each host.
 */
export function limitOf(limits: ProviderLimits, provider: string): ProviderLimit {
  const isFor = (name: string): boolean => provider === name || /^[/:]/.test(provider.slice(name.length))
  const [name] = [...limits.keys()]
    .filter((name) => name !== '*' && provider.startsWith(name) && isFor(name))
    .toSorted((a, b) => b.length - a.length)
  const own = name === undefined ? undefined : limits.get(name)
  if (name !== undefined && own) return { name, ...own }
  // If there is a slash, the host ends at the first one, and may contain a colon with a port. Without a slash, a colon ends the
  // host, and the model follows.
  const [host = provider] = provider.split(provider.includes('/') ? '/' : ':', 1)
  return { name: host, ...(limits.get('*') ?? { calls: 1, perMinute: null }) }
}

/**
 * The name of the provider that a call uses; null if this process computes the call itself. If the node type names no
 * provider, but its calls may cost something or must not be repeated, the name of the node type takes its place.
 */
export function providerAsked(
  type: Pick<NodeType, 'type' | 'provider' | 'credits' | 'retry_safe'>,
  params: Record<string, unknown>,
): string | null {
  return type.provider(params) ?? (type.credits.most !== 0 || !type.retry_safe ? type.type : null)
}

/**
 * The claim of one process (`holder`) on calls to a provider: how many it was granted, and how many it wants. `servedAt`:
 * when it was last granted more than before, in seconds since 1970; 0 if never.
 */
export type Claim = { holder: string; granted: number; wanted: number; servedAt: number }

/**
 * The share of the process `holder`: how many calls it may have in progress. If the limit `calls` is enough for all
 * processes, each gets what it wants; otherwise those that want more than an equal share get equal shares of the rest. Calls
 * that are left over by this division go to the processes that have waited longest, so that none waits for ever.
 */
export function shareOf(calls: number, holder: string, claims: readonly Claim[]): number {
  let left = calls
  let open = claims
  for (;;) {
    const level = Math.floor(left / Math.max(1, open.length))
    const content = open.filter(({ wanted }) => wanted <= level)
    const mine = content.find((claim) => claim.holder === holder)
    if (mine) return mine.wanted
    if (content.length === 0) {
      const rest = left - level * open.length
      const byAge = open.toSorted((a, b) => a.servedAt - b.servedAt || (a.holder < b.holder ? -1 : 1))
      return level + (byAge.findIndex((claim) => claim.holder === holder) < rest ? 1 : 0)
    }
    left -= content.reduce((sum, { wanted }) => sum + wanted, 0)
    open = open.filter((claim) => !content.includes(claim))
  }
}

/**
 * How many calls a process is granted: its share, but no more than the other processes leave free, and no less than it has in
 * progress, since calls are not interrupted.
 */
export function grantOf(calls: number, mine: Claim & { used: number }, others: readonly Claim[]) {
  const share = shareOf(calls, mine.holder, [...others, mine])
  const free = calls - others.reduce((sum, { granted }) => sum + granted, 0)
  return { share, granted: Math.max(mine.used, Math.min(share, free), 0) }
}

/**
 * A limit per minute as a token bucket that refills evenly. A full bucket and its refill over 60 seconds come to `perMinute + 1`
 * tokens. The extra token is safe: it is complete only when the 60 seconds have passed, so fewer than 60 seconds never allow
 * more than `perMinute` calls.
 */
export function bucketOf(perMinute: number): { size: number; perSecond: number } {
  const size = Math.max(1, Math.floor(perMinute / 10))
  return { size, perSecond: (perMinute - size + 1) / 60 }
}

/** How many of `calls` are reserved for runs with few calls in progress, so that a large run cannot use all of them. */
export const reserveOf = (calls: number): number => Math.floor(calls / 8)
