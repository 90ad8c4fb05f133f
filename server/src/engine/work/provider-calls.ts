// In charge of limiting how many calls to each provider this process has in progress. Limits apply to all processes together:
// the database assigns a share to each process, which keeps it while in use and returns what others wait for.
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
  /** Whether another call may begin; `few`: the call's run has few calls in progress, so it may use reserved ones. */
  isFree(few: boolean): boolean
  /** Counts a call that begins. */
  begin(): void
  /** Counts a call that has ended. */
  end(how: HowItEnded): void
  /**
   * The provider accepts no calls for this many seconds: none begins until then; afterwards only one at a time, until
   * calls succeed again.
   */
  close(seconds: number): void
  /** Reports how many calls wait, so that the database grants more of those that other processes do not use. */
  want(waiting: number): void
}

export type AllProviderCalls = {
  /** The name of the limit that applies to a provider. */
  nameOf(provider: string): string
  of(provider: string): ProviderCalls
  /** Calls `listener` when more calls may begin than before. */
  onMore(listener: () => void): void
  /** Reports how many calls are in use, and returns the others; this also happens every few seconds. */
  renew(): Promise<void>
  start(): Promise<void>
}

type ProviderCallsOptions = { database: Database; log: Log; limits: ProviderLimits }

/** The interval at which a process reports how many calls it wants and gets its new share. */
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
  /** `granted` and `share`: from the last reply of the database; `wanted`: the number of calls requested then. */
  let [granted, share, wanted] = [0, 0, 0]
  /** How many more calls may begin in this minute; null if the rate is not limited. */
  let begin: number | null = null
  /** The maximum number of calls in progress with a provider that has refused some because there were too many. */
  let tried = Number.POSITIVE_INFINITY
  /** When the granted calls expire, and when the provider accepts calls again; on the clock of `performance.now`. */
  let [goodUntil, closedUntil] = [0, 0]
  /** Until when the database cannot grant more calls. */
  let restUntil = 0
  let closing = 0
  let timer: NodeJS.Timeout | null = null

  const isFree = (few: boolean): boolean => {
    const now = performance.now()
    // If this process wants more than its share, the limit for it is the share.
    const all = wanted > share ? share : limit.calls
    const most = Math.min(granted, share, tried, few ? all : all - reserveOf(all))
    return used < most && begin !== 0 && now < goodUntil && now >= closedUntil
  }
  /** Whether this process has calls beyond its share that it could return. */
  const isBeyondShare = (): boolean => granted > share && used < granted
  const askOnce = async (): Promise<void> => {
    const at = performance.now()
    const request = { used, waiting, unbegun: begin ?? 0, closedSeconds: closing }
    try {
      const reply = await renew(limit, request)
      // Subtracts the calls that began while the request was in progress.
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
      // Without a reply, granted calls that nobody uses are given up: other processes get them once the claim has
      // expired.
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
 * Runs `work` one at a time; calls during a run share the next one. A call resolves when a run of `work` that began
 * after the call has ended.
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
