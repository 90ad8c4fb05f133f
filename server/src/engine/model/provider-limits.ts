// In charge of how many calls of a provider may be in progress: the configured limits, and the share of each process. Pure.
import type { NodeType } from '../../nodes/node-type.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'

/**
 * `name`: as in the settings; for a provider without a limit of its own, its host. `perMinute`: null where the rate is not
 * limited.
 */
export type ProviderLimit = { name: string; calls: number; perMinute: number | null }

/**
 * The limit that calls of a provider count towards. `provider` is `host/path:model`. A limit applies to that exact name, to
 * the part before a colon or a slash, or to all providers without one. The longest matching name applies.
 */
export function limitOf(limits: ProviderLimits, provider: string): ProviderLimit {
  const isFor = (name: string): boolean => provider === name || /^[/:]/.test(provider.slice(name.length))
  const [name] = [...limits.keys()]
    .filter((name) => name !== '*' && provider.startsWith(name) && isFor(name))
    .toSorted((a, b) => b.length - a.length)
  const own = name === undefined ? undefined : limits.get(name)
  if (name !== undefined && own) return { name, ...own }
  // A host may contain a colon before its port; what follows is then no model.
  const [host = provider] = provider.split(provider.includes('/') ? '/' : ':', 1)
  return { name: host, ...(limits.get('*') ?? { calls: 1, perMinute: null }) }
}

/**
 * Which provider a call contacts; null for a call computed in this process. A call that costs something, or must not
 * be repeated, and names no provider counts towards a provider named after its type.
 */
export function providerAsked(
  type: Pick<NodeType, 'type' | 'provider' | 'credits' | 'retry_safe'>,
  params: Record<string, unknown>,
): string | null {
  return type.provider(params) ?? (type.credits.most !== 0 || !type.retry_safe ? type.type : null)
}

/** The calls of a provider that a process holds, and how many it could use; `servedAt`: when it last received one. */
export type Claim = { holder: string; granted: number; wanted: number; servedAt: number }

/**
 * How many calls a process may have in progress. If there is enough, every process gets what it wants; otherwise all get
 * equal shares. The remainder goes to the processes that have waited longest, so that none waits for ever.
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
 * What a process is granted: its share, minus what other processes still hold beyond their own shares. Calls in progress
 * are not interrupted.
 */
export function grantOf(calls: number, mine: Claim & { used: number }, others: readonly Claim[]) {
  const share = shareOf(calls, mine.holder, [...others, mine])
  const free = calls - others.reduce((sum, { granted }) => sum + granted, 0)
  return { share, granted: Math.max(mine.used, Math.min(share, free), 0) }
}

/**
 * Calls per minute as a token bucket that refills evenly. Its size and one minute's refill add up to the limit, so that no
 * 60 seconds, whenever they begin, exceed it.
 */
export function bucketOf(perMinute: number): { size: number; perSecond: number } {
  const size = Math.max(1, Math.floor(perMinute / 10))
  return { size, perSecond: (perMinute - size + 1) / 60 }
}

/** How many of these calls are reserved for runs that have few in progress, so that a large run cannot take all of them. */
export const reserveOf = (calls: number): number => Math.floor(calls / 8)
