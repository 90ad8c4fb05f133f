// In charge of how many calls of a provider may be under way: the limits that are set, and the share of each process. Pure.
import type { NodeType } from '../../nodes/node-type.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'

/** `name`: as in the settings; of a provider without a limit of its own its host. `perMinute`: null where there is no bound. */
export type ProviderLimit = { name: string; calls: number; perMinute: number | null }

/**
 * The limit that calls of a provider count towards. `provider` is `host/path:model`; a limit is for all of it, for what
 * stands before a colon or a slash, or for all providers that have none. The longest name that fits counts.
 */
export function limitOf(limits: ProviderLimits, provider: string): ProviderLimit {
  const isFor = (name: string): boolean => provider === name || /^[/:]/.test(provider.slice(name.length))
  const [name] = [...limits.keys()]
    .filter((name) => name !== '*' && provider.startsWith(name) && isFor(name))
    .toSorted((a, b) => b.length - a.length)
  const own = name === undefined ? undefined : limits.get(name)
  if (name !== undefined && own) return { name, ...own }
  // A host may have a port, which is no model.
  const [host = provider] = provider.split(provider.includes('/') ? '/' : ':', 1)
  return { name: host, ...(limits.get('*') ?? { calls: 1, perMinute: null }) }
}

/**
 * Which provider a call asks; null for one that is computed in this process. What costs something and names no provider
 * asks one that is known by its type.
 */
export function providerAsked(
  type: Pick<NodeType, 'type' | 'provider' | 'credits' | 'retry_safe'>,
  params: Record<string, unknown>,
): string | null {
  return type.provider(params) ?? (type.credits.most !== 0 || !type.retry_safe ? type.type : null)
}

/** What a process holds of a provider's calls, and what it could use; `servedAt`: when it was last given one. */
export type Claim = { holder: string; granted: number; wanted: number; servedAt: number }

/**
 * How many calls a process may have under way: all get what they want as far as it suffices, else as much as each other.
 * What cannot be divided goes to those that were given something longest ago, so that none waits for ever.
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

/** What a process is given: its share, as far as others have given back what they hold beyond theirs. Calls under way stay. */
export function grantOf(calls: number, mine: Claim & { used: number }, others: readonly Claim[]) {
  const share = shareOf(calls, mine.holder, [...others, mine])
  const free = calls - others.reduce((sum, { granted }) => sum + granted, 0)
  return { share, granted: Math.max(mine.used, Math.min(share, free), 0) }
}

/**
 * Calls a minute as a bucket that fills evenly. What it holds and what flows in within a minute are the bound together, so
 * that no minute, wherever it begins, has more.
 */
export function bucketOf(perMinute: number): { size: number; perSecond: number } {
  const size = Math.max(1, Math.floor(perMinute / 10))
  return { size, perSecond: (perMinute - size + 1) / 60 }
}

/** How many of these calls are kept for runs that have few under way: a large run does not fill what there is to the last. */
export const reserveOf = (calls: number): number => Math.floor(calls / 8)
