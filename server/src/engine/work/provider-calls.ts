// In charge of limiting how many calls to each provider this process has in progress. A limit applies to all processes
// together: the database assigns a share to each process. A process keeps the calls that it was granted while they are in
// progress. After that, it returns those beyond its share, which other processes may be waiting for.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'
import { limitOf, type ProviderLimit, reserveOf } from '../model/provider-limits.ts'
import { type ClaimReply, type ClaimRequest, claimSeconds, renewClaim } from '../store/provider-claims.ts'
import { createTrouble, type Trouble } from './trouble.ts'

/** How a call ended; `unused`: the slot was released without a call to the provider. */
export type HowItEnded = 'worked' | 'failed' | 'unused'

/** Calls of one provider, or of all providers that share a limit. */
export type ProviderCalls = {
  /**
   * Whether another call may begin. `few`: the call belongs to a run with few calls in progress, so it may also use the part
   * of the limit that is reserved for such runs.
   */
  isFree(few: boolean): boolean
  /** Counts a call that begins. */
  begin(): void
  /** Counts a call that has ended. */
  end(how: HowItEnded): void
  /**
   * Says that the provider accepts no calls for this many seconds. No call begins until then; after that only one at a time,
   * and one more after each call that succeeds.
   */
  close(seconds: number): void
  /**
   * Takes note of how many calls wait in this process. If they cannot begin with what the database has granted so far, asks
   * the database for more.
   */
  want(waiting: number): void
}

export type AllProviderCalls = {
  /** The name of the limit that applies to calls to a provider. */
  nameOf(provider: string): string
  of(provider: string): ProviderCalls
  /** Calls `listener` when more calls may begin than before. There is only one listener. */
  onMore(listener: () => void): void
  /**
   * Reports to the database how many calls are in progress and how many wait, and gives back what is not needed. While any
   * calls are in progress or wait, this also happens every few seconds by itself.
   */
  renew(): Promise<void>
  start(): Promise<void>
}

type ProviderCallsOptions = { database: Database; log: Log; limits: ProviderLimits }

/** The interval, in milliseconds, at which a process reports how many calls it wants, and receives its new share. */
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
      const trouble = createTrouble(log, { away: notCounted, bug: notCounted })
      const found = held.get(limit.name) ?? createProviderShare({ limit, renew, trouble, more: () => more() })
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
const notCounted = 'the calls of a provider could not be counted; it is tried again'

type ProviderShareParts = {
  limit: ProviderLimit
  renew(limit: ProviderLimit, request: Omit<ClaimRequest, 'holder'>): Promise<ClaimReply>
  trouble: Trouble
  more(): void
}

function createProviderShare({ limit, renew, trouble, more }: ProviderShareParts): ProviderShare {
  let [used, waiting] = [0, 0]
  /**
   * `granted` and `share`: from the last reply of the database; `wanted`: the number of calls that was reported for that
   * reply.
   */
  let [granted, share, wanted] = [0, 0, 0]
  /**
   * For a limit per minute: how many more calls may begin with the tokens received from the database so far. Null if there is
   * no such limit. Negative if the database took tokens back with which calls have begun while its reply was on the way; the
   * next report subtracts them.
   */
  let begin: number | null = null
  /**
   * How many calls this process may have in progress after the provider has refused calls because there were too many (see
   * `close`); infinite if it has refused none.
   */
  let tried = Number.POSITIVE_INFINITY
  /**
   * The time at which the granted calls expire, and the time at which the provider accepts calls again; both on the clock of
   * `performance.now`.
   */
  let [goodUntil, closedUntil] = [0, 0]
  /** Until this time, on the clock of `performance.now`, it is of no use to ask the database for more calls. */
  let restUntil = 0
  let closing = 0
  let timer: NodeJS.Timeout | null = null

  const isFree = (few: boolean): boolean => {
    const now = performance.now()
    // The reserve is a part of the share if this process wants more than its share, else a part of the whole limit.
    const all = wanted > share ? share : limit.calls
    const most = Math.min(granted, share, tried, few ? all : all - reserveOf(all))
    return used < most && (begin === null || begin > 0) && now < goodUntil && now >= closedUntil
  }
  /** Whether this process was granted calls beyond its share that are not in use, so that it can return them. */
  const isBeyondShare = (): boolean => granted > share && used < granted
  const askOnce = async (): Promise<void> => {
    const at = performance.now()
    const request = { used, waiting, unbegun: begin ?? 0, closedSeconds: closing }
    try {
      const reply = await renew(limit, request)
      // Subtracts the calls that have begun since the request was sent.
      begin = reply.begin === null ? null : reply.begin + (begin ?? 0) - request.unbegun
      ;({ granted, share } = reply)
      wanted = Math.min(request.used + request.waiting, limit.calls)
      closing = closing > request.closedSeconds ? closing : 0
      goodUntil = at + (claimSeconds - 1) * 1000
      closedUntil = Math.max(closedUntil, performance.now() + reply.closedSeconds * 1000)
      restUntil = performance.now() + (reply.againSeconds ?? 0) * 1000
    } catch (error) {
      trouble.met(error, { provider: limit.name })
      restUntil = performance.now() + renewMs
      // If no call is in progress or waits, the granted calls are given up even without a reply. Other processes get them once
      // this process's claim has expired.
      if (used + waiting === 0) [granted, share, wanted] = [0, 0, 0]
    }
    trouble.turned()
  }
  /** Renews the claim later, if calls are in use, wait, or were wanted at the last report. */
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
      const isOver =
        performance.now() >= goodUntil || (begin !== null && begin <= 0 && used < Math.min(granted, share, tried))
      if ((isMore || isOver) && performance.now() >= restUntil) void ask()
    },
    renew: async () => {
      if (granted + wanted + used + waiting > 0) await ask()
    },
  }
}

/**
 * Never executes `work` twice at the same time. Callers that come while it is being executed share the next execution. The
 * promise that a caller gets resolves at the end of an execution that did not begin before the call.
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
