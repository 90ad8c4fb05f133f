// In charge of how much one address and one caller may ask in a minute, and have under way at once.
//
// An address is counted until its caller is known: requests without a token, with one that is made up, and attempts to
// sign in. Once a token is verified the request is the caller's, and the address has it back: an office of many people
// behind one address shares nothing but its strangers.
import { isIP } from 'node:net'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import ipaddr from 'ipaddr.js'
import { type Actor, actorKey } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { countRateLimited } from '../counts.ts'

export type Rates = {
  /** Counts a request of an address; throws `rate_limited` where it has asked too much. */
  stranger(ip: string): void
  /** The request turned out to be this caller's: counts it there instead. */
  known(ip: string, actor: Actor): void
  /** Counts an attempt to sign in. */
  signIn(ip: string): void
  /** Has one more under way; the returned function ends it. Throws `rate_limited` where there are too many. */
  begin(what: keyof typeof mostAtOnce, ip: string, actor: Actor): () => void
}

/** At once: for one caller, and for one address. */
export const mostAtOnce = {
  'event streams': { caller: 32, address: 512 },
  uploads: { caller: 16, address: 128 },
} as const
export const signInsPerMinute = 100

const windowMs = 60_000
/** Twice as many are kept at most. Only verified callers have buckets among those of callers. */
const most = 10_000

export function createRates({ rateLimit, addressRateLimit }: Pick<Config, Limits>, clock: Clock): Rates {
  const addresses = createBuckets(addressRateLimit, clock)
  const callers = createBuckets(rateLimit, clock)
  const signIns = createBuckets(addressRateLimit === 0 ? 0 : signInsPerMinute, clock)
  const underWay = createCounts()

  return {
    stranger(ip) {
      const seconds = addresses.count(addressKey(ip))
      if (seconds !== null)
        throw tooMany('address', `More than ${addressRateLimit} requests in a minute from this address`, seconds)
    },
    known(ip, actor) {
      addresses.giveBack(addressKey(ip))
      const seconds = callers.count(actorKey(actor))
      if (seconds !== null) throw tooMany('caller', `More than ${rateLimit} requests in a minute`, seconds)
    },
    signIn(ip) {
      const seconds = signIns.count(addressKey(ip))
      if (seconds === null) return
      const tooOften = `More than ${signInsPerMinute} attempts to sign in within a minute from this address`
      throw tooMany('sign_ins', tooOften, seconds)
    },
    begin(what, ip, actor) {
      const { caller, address } = mostAtOnce[what]
      const ends = [
        underWay.begin(`${what}/${actorKey(actor)}`, caller),
        underWay.begin(`${what}/${addressKey(ip)}`, address),
      ]
      const end = (): void => {
        for (const one of ends.splice(0)) one?.()
      }
      if (!ends.includes(null)) return end
      end()
      const limit = what === 'uploads' ? what : 'event_streams'
      throw tooMany(limit, `More than ${caller} ${what} at once, or ${address} from one address`, 10)
    },
  }
}

type Limits = 'rateLimit' | 'addressRateLimit'

export function tooMany(limit: Parameters<typeof countRateLimited>[0], what: string, seconds: number): Refusal {
  countRateLimited(limit)
  return new Refusal('rate_limited', `${what}; try again in ${seconds} s.`, { retry_after: seconds })
}

/** An IPv4 address, however it is written; of IPv6 the network that one customer has, who can take any address in it. */
export function addressKey(ip: string): string {
  if (isIP(ip) === 4) return ip
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}

type Bucket = { used: number; ends: number }

/**
 * Counts for a minute at a time. Those used longest ago make way, by generations: an old map goes as a whole, where taking
 * single keys out of a large one would cost more the more are taken.
 */
export function createBuckets(limit: number, clock: Clock) {
  let [young, old] = [new Map<string, Bucket>(), new Map<string, Bucket>()]
  const bucketOf = (key: string): Bucket => {
    const now = clock.now()
    const found = young.get(key) ?? old.get(key)
    const bucket = found && found.ends > now ? found : { used: 0, ends: now + windowMs }
    if (young.size >= most) [young, old] = [new Map(), young]
    young.set(key, bucket)
    return bucket
  }
  return {
    /** Null, or for how many seconds there is no more. */
    count(key: string): number | null {
      if (limit === 0) return null
      const bucket = bucketOf(key)
      if (bucket.used >= limit) return Math.ceil((bucket.ends - clock.now()) / 1000)
      bucket.used++
      return null
    },
    giveBack(key: string): void {
      const bucket = young.get(key) ?? old.get(key)
      if (bucket && bucket.used > 0) bucket.used--
    },
  }
}

function createCounts() {
  const counts = new Map<string, number>()
  return {
    /** Null where there are as many as may be. */
    begin(key: string, limit: number): (() => void) | null {
      const count = counts.get(key) ?? 0
      if (count >= limit) return null
      counts.set(key, count + 1)
      return () => {
        const left = (counts.get(key) ?? 1) - 1
        if (left > 0) counts.set(key, left)
        else counts.delete(key)
      }
    },
  }
}
