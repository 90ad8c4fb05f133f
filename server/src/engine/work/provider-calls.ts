// In charge of how many calls of each provider this process has under way. Limits hold over all processes: each takes a
// share from the database, keeps it while it uses it, and gives back what others wait for.
import { randomUUID } from 'node:crypto'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { ProviderLimits } from '../../platform/provider-limits.ts'
import { limitOf, type ProviderLimit, reserveOf } from '../model/provider-limits.ts'
import { type ClaimReply, type ClaimRequest, claimSeconds, renewClaim } from '../store/provider-claims.ts'

/** `unused`: the provider was not asked. */
export type HowItEnded = 'worked' | 'failed' | 'unused'

/** Calls of one provider, or of all that share a limit. */
export type ProviderCalls = {
  /** Whether another may begin; `few`: of a run that has few under way, for which some are kept. */
  isFree(few: boolean): boolean
  /** Counts a call that begins. */
  begin(): void
  /** Counts a call that is over. */
  end(how: HowItEnded): void
  /** The provider takes no calls for these seconds: nothing is begun, and then one call at a time until it works out again. */
  close(seconds: number): void
  /** How many calls wait: takes more from the other processes, if there are any. */
  want(waiting: number): void
}

export type AllProviderCalls = {
  /** What providers that share a limit have in common. */
  nameOf(provider: string): string
  of(provider: string): ProviderCalls
  /** Where more may be begun than before. */
  onMore(listener: () => void): void
  /** Reports again what is in use, and gives back the rest; also done every few seconds. */
  renew(): Promise<void>
  start(): Promise<void>
}

type ProviderCallsOptions = { database: Database; log: Log; limits: ProviderLimits }

/** How often a process reports what it wants, and learns what others do. */
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
  /** What the database has given, for what was asked of it last. */
  let [granted, share, wanted] = [0, 0, 0]
  /** Calls that may be begun in this minute; null where minutes have no bound. */
  let begin: number | null = null
  /** How many calls are tried at once, of a provider that has refused some for being too many. */
  let tried = Number.POSITIVE_INFINITY
  /** Until when what is held counts, and until when the provider is left alone; as `performance.now`. */
  let [goodUntil, closedUntil] = [0, 0]
  /** Before then nothing more is to be had. */
  let restUntil = 0
  let closing = 0
  let timer: NodeJS.Timeout | null = null

  const isFree = (few: boolean): boolean => {
    const now = performance.now()
    // Where others want the rest, the share is all there is.
    const all = wanted > share ? share : limit.calls
    const most = Math.min(granted, share, tried, few ? all : all - reserveOf(all))
    return used < most && begin !== 0 && now < goodUntil && now >= closedUntil
  }
  /** Others wait for what this process could give back. */
  const isBeyondShare = (): boolean => granted > share && used < granted
  const askOnce = async (): Promise<void> => {
    const at = performance.now()
    const request = { used, waiting, unbegun: begin ?? 0, closedSeconds: closing }
    try {
      const reply = await renew(limit, request)
      // What began and ended while the database was asked counts on top.
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
      // What is not used is not held on to: the others have it once it has not been renewed for long enough.
      if (used + waiting === 0) [granted, share, wanted] = [0, 0, 0]
    }
  }
  /** Asks again, as long as there is something to renew or to wait for. */
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

/** Of calls while one is under way, one more is made after it. Resolved once work that began after the call is over. */
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
