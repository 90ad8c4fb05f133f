// In charge of the limits per address and per caller: how many requests in a minute, and how many streams and uploads at
// the same time.
//
// A request counts for its address until its token has been verified. From then on it counts for the caller instead, and the count
// of the address is reduced again. So only sign-in attempts and requests without a valid token use up the limit of an address;
// many people who share an address, for example in an office, do not use up each other's requests.
import { isIP } from 'node:net'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import ipaddr from 'ipaddr.js'
import { type Actor, actorKey } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { countRateLimited } from '../counts.ts'

export type Rates = {
  /** Counts a request from an address; throws `rate_limited` if the address has sent too many requests. */
  stranger(ip: string): void
  /** Counts a request for its caller instead of its address; throws `rate_limited` if the caller has sent too many requests. */
  known(ip: string, actor: Actor): void
  /** Counts an attempt to sign in from an address; throws `rate_limited` if there were too many. */
  signIn(ip: string): void
  /** Counts the start of a stream or upload; the returned function counts its end. Throws `rate_limited` if too many are open. */
  begin(what: keyof typeof mostAtOnce, ip: string, actor: Actor): () => void
}

/** The highest numbers of streams and uploads at the same time, per caller and per address. */
export const mostAtOnce = {
  'event streams': { caller: 32, address: 512 },
  uploads: { caller: 16, address: 128 },
} as const
export const signInsPerMinute = 100

const windowMs = 60_000
/** The highest number of entries in one map. `createBuckets` uses two maps, so it keeps at most twice as many entries. */
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

/**
 * Returns the key for counting an address: the whole IPv4 address, or the /64 network of an IPv6 address, because one customer can
 * use every address in such a network.
 */
export function addressKey(ip: string): string {
  if (isIP(ip) === 4) return ip
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4' ? address.toString() : address.toByteArray().slice(0, 8).join('.')
}

type Bucket = { used: number; ends: number }

/**
 * Counts the requests of each key, in periods of one minute; a `limit` of 0 means no limit. When the young map is full, it becomes
 * the old one, and the former old map is dropped as a whole: deleting single keys from a large map becomes slower with every key.
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
    /** Returns null if the request is within the limit; otherwise the number of seconds until the next request is allowed. */
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
    /** Increases a count and returns the function that reduces it again; returns null if the limit has been reached. */
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
