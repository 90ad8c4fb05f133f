// In charge of how many calls of each provider this process has in progress. Limits apply to all processes together: each
// gets a share from the database, keeps it while it uses it, and returns what others wait for.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'
import { limitOf, type ProviderLimit, reserveOf } from '../model/provider-limits.ts'
import { type ClaimReply, type ClaimRequest, claimSeconds, renewClaim } from '../store/provider-claims.ts'

/** `unused`: the provider was not called. */
export type HowItEnded = 'worked' | 'failed' | 'unused'

/** Calls of one provider, or of all providers that share a limit. */
export type ProviderCalls = {
  /** Whether another call may begin; `few`: for a run with few calls in progress, for which some are reserved. */
  isFree(few: boolean): boolean
  /** Counts a call that begins. */
  begin(): void
  /** Counts a call that has ended. */
  end(how: HowItEnded): void
  /**
   * The provider accepts no calls for these seconds: none begins until then, and afterwards one at a time until calls
   * succeed again.
   */
  close(seconds: number): void
  /** How many calls wait: requests more from the other processes, if there are any. */
  want(waiting: number): void
}

export type AllProviderCalls = {
  /** The name of the limit that a provider counts towards. */
  nameOf(provider: string): string
  of(provider: string): ProviderCalls
  /** Calls `listener` when more calls may begin than before. */
  onMore(listener: () => void): void
  /** Reports again how many calls are in use, and returns the rest; also done every few seconds. */
  renew(): Promise<void>
  start(): Promise<void>
}

type ProviderCallsOptions = { database: Database; log: Log; limits: ProviderLimits }

/** How often a process reports what it wants, and learns what others want. */
const renewMs = 2000

export function createProviderCalls({ database, log, limits }: ProviderCallsOptions): AllProviderCalls {
  const holder = randomUUID()
  const held = new Map<string, ProviderShare>()
  let more = (): void => undefined
  const renew = (limit: ProviderLimit, request: Omit<ClaimRequest, 'holder'>): Promise<ClaimReply> =>
    database.tx((tx) => renewClaim(tx, limit, { holder, ...request }))
  return {
    nameOf: (provider) => limitOf(limits, provider).name,
    of: (provider) => {
      const limit = limitOf(limits, provider)
      const found = held.get(limit.name) ?? createProviderShare({ limit, renew, log, more: () => more() })
      held.set(limit.name, found)
      return found
    },
    onMore: (listener) => {
      more = listener
    },
    renew: async () => {
      await Promise.all([...held.values()].map((one) => one.renew()))
    },
    start: () =>
      database.listen('atelier_providers', (payload) => {
        const [from, ...name] = payload.split(' ')
        if (from !== holder) void held.get(name.join(' '))?.renew()
      }),
  }
}

type ProviderShare = ProviderCalls & { renew(): Promise<void> }
type ProviderShareParts = {
  limit: ProviderLimit
  renew(limit: ProviderLimit, request: Omit<ClaimRequest, 'holder'>): Promise<ClaimReply>
  log: Log
  more(): void
}

function createProviderShare({ limit, renew, log, more }: ProviderShareParts): ProviderShare {
  let [used, waiting] = [0, 0]
  /** The last reply of the database, and the number of calls it was asked for. */
  let [granted, share, wanted] = [0, 0, 0]
  /** Calls that may begin in this minute; null where the rate is not limited. */
  let begin: number | null = null
  /** How many calls are tried at once with a provider that has refused some as too many. */
  let tried = Number.POSITIVE_INFINITY
  /** Until when the granted calls are valid, and until when the provider is closed; as `performance.now`. */
  let [goodUntil, closedUntil] = [0, 0]
  /** Until when the database has no more calls to grant. */
  let restUntil = 0
  let closing = 0
  let timer: NodeJS.Timeout | null = null

  const isFree = (few: boolean): boolean => {
    const now = performance.now()
    // Where other processes want more calls, this one is limited to its share.
    const all = wanted > share ? share : limit.calls
    const most = Math.min(granted, share, tried, few ? all : all - reserveOf(all))
    return used < most && begin !== 0 && now < goodUntil && now >= closedUntil
  }
  /** Whether this process could return calls that others wait for. */
  const isBeyondShare = (): boolean => granted > share && used < granted
  const askOnce = async (): Promise<void> => {
    const at = performance.now()
    const request = { used, waiting, unbegun: begin ?? 0, closedSeconds: closing }
    try {
      const reply = await renew(limit, request)
      // Calls that began and ended while the database was asked count on top.
      begin = reply.begin === null ? null : reply.begin + (begin ?? 0) - request.unbegun
      ;({ granted, share } = reply)
      wanted = Math.min(request.used + request.waiting, limit.calls)
      closing = closing > request.closedSeconds ? closing : 0
      goodUntil = at + (claimSeconds - 1) * 1000
      closedUntil = Math.max(closedUntil, performance.now() + reply.closedSeconds * 1000)
      restUntil = performance.now() + (reply.againSeconds ?? 0) * 1000
    } catch (error) {
      log.warn({ err: error, provider: limit.name }, 'the calls of a provider could not be counted; it is tried again')
      restUntil = performance.now() + renewMs
      // Unused calls are not kept: other processes get them once the claim has expired.
      if (used + waiting === 0) [granted, share, wanted] = [0, 0, 0]
    }
  }
  /** Renews the claim later, as long as calls are in use or waiting. */
  const askLater = (): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (wanted + used + waiting === 0) return
    const rest = restUntil - performance.now()
    timer = setTimeout(() => void ask(), waiting > 0 && rest > 0 ? Math.min(rest + 1, renewMs) : renewMs)
    timer.unref()
  }
  const ask = oneAtATime(async () => {
    await askOnce()
    askLater()
    more()
    if (isBeyondShare()) void ask()
  })

  return {
    isFree,
    begin: () => {
      used += 1
      if (begin !== null) begin -= 1
    },
    end: (how) => {
      used -= 1
      if (how === 'unused' && begin !== null) begin += 1
      if (how === 'worked') tried += 1
      if (isBeyondShare()) void ask()
    },
    close: (seconds) => {
      tried = 1
      closing = Math.max(closing, seconds)
      closedUntil = Math.max(closedUntil, performance.now() + seconds * 1000)
      void ask()
    },
    want: (count) => {
      waiting = count
      if (count === 0 || isFree(false)) return
      const isMore = Math.min(used + count, limit.calls) > wanted
      const isOver = performance.now() >= goodUntil || (begin === 0 && used < Math.min(granted, share, tried))
      if ((isMore || isOver) && performance.now() >= restUntil) void ask()
    },
    renew: async () => {
      if (granted + wanted + used + waiting > 0) await ask()
    },
  }
}

/**
 * Makes one call of `work` at a time: calls during one share the next. Resolves when a run of `work` that began after the
 * call has ended.
 */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let present: Promise<void> | null = null
  let next: Promise<void> | null = null
  const begin = (): Promise<void> => {
    next = null
    present = work().finally(() => {
      present = null
    })
    return present
  }
  return () => {
    if (next !== null) return next
    if (present === null) return begin()
    next = present.then(begin)
    return next
  }
}
