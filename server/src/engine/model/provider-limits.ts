// In charge of computing how many calls to a provider may be in progress, in total and in each process. Pure.
import type { NodeType } from '../../nodes/node-type.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'

/**
 * `name`: from the settings, or the host of a provider for which the settings have no limit. `perMinute`: null if the
 * rate is not limited.
 */
export type ProviderLimit = { name: string; calls: number; perMinute: number | null }

/**
 * The limit that applies to calls of a provider, which is named `host/path:model`: the limit with this name, or with
 * the part before a colon or slash; the longest such name wins. All other providers have the limit `*`, separately for
 * each host.
 */
export function limitOf(limits: ProviderLimits, provider: string): ProviderLimit {
  const isFor = (name: string): boolean => provider === name || /^[/:]/.test(provider.slice(name.length))
  const [name] = [...limits.keys()]
    .filter((name) => name !== '*' && provider.startsWith(name) && isFor(name))
    .toSorted((a, b) => b.length - a.length)
  const own = name === undefined ? undefined : limits.get(name)
  if (name !== undefined && own) return { name, ...own }
  // A host may contain a colon before its port, in which case the text after the colon is not a model.
  const [host = provider] = provider.split(provider.includes('/') ? '/' : ':', 1)
  return { name: host, ...(limits.get('*') ?? { calls: 1, perMinute: null }) }
}

/**
 * The provider that a call uses; null for a call computed in this process. If a call names no provider, but costs
 * something or must not be repeated, its provider is named after the node type.
 */
export function providerAsked(
  type: Pick<NodeType, 'type' | 'provider' | 'credits' | 'retry_safe'>,
  params: Record<string, unknown>,
): string | null {
  return type.provider(params) ?? (type.credits.most !== 0 || !type.retry_safe ? type.type : null)
}

/** How many calls of a provider a process was granted, and how many it wants; `servedAt`: when it was last granted more. */
export type Claim = { holder: string; granted: number; wanted: number; servedAt: number }

/**
 * The share of a process: how many calls it may have in progress. If the limit is enough for all, each process gets
 * what it wants; otherwise all get equal shares. The remainder goes to the processes that have waited longest, so that
 * none waits for ever.
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
 * The calls that a process is granted: its share, but no more than the other processes leave free, and no less than it
 * has in progress, since calls are not interrupted.
 */
export function grantOf(calls: number, mine: Claim & { used: number }, others: readonly Claim[]) {
  const share = shareOf(calls, mine.holder, [...others, mine])
  const free = calls - others.reduce((sum, { granted }) => sum + granted, 0)
  return { share, granted: Math.max(mine.used, Math.min(share, free), 0) }
}

/**
 * Calls per minute as a token bucket that refills evenly. The bucket's size plus one minute's refill is the limit, so
 * that no period of 60 seconds can exceed it.
 */
export function bucketOf(perMinute: number): { size: number; perSecond: number } {
  const size = Math.max(1, Math.floor(perMinute / 10))
  return { size, perSecond: (perMinute - size + 1) / 60 }
}

/** How many of these calls are reserved for runs with few calls in progress, so that a large run cannot use all of them. */
export const reserveOf = (calls: number): number => Math.floor(calls / 8)
