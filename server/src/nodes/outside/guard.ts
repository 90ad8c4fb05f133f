// In charge of where nodes may connect to: public addresses only, whatever a name resolves to, unless the operator listed the host.
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher } from 'undici'

/** Thrown where a request would go to where it may not; nothing was sent. */
export class Forbidden extends Error {}

/**
 * Addresses are judged where the connection is made, by the very address it is made to: a name that resolves to another
 * one a moment later changes nothing, and neither does a redirect.
 * @param allowedHosts `name` or `name:port`, reached whatever their address is.
 */
export function guardedAgent(allowedHosts: readonly string[]): Dispatcher {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const limits = { connect: { timeout: 10_000 }, headersTimeout: 300_000, bodyTimeout: 60_000 }
  const direct = buildConnector({ timeout: limits.connect.timeout })
  const guarded = buildConnector({ timeout: limits.connect.timeout, lookup: publicLookup })
  return new Agent({
    ...limits,
    // A broken connection is one call's trouble; a pool that outlives calls would share it.
    pipelining: 0,
    connect: (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '').toLowerCase()
      const isAllowed = allowed.has(hostname) || allowed.has(`${hostname}:${options.port}`)
      // A literal address is never looked up.
      if (!isAllowed && isIP(hostname) !== 0 && !isPublic(hostname)) return callback(forbidden(hostname), null)
      return (isAllowed ? direct : guarded)(options, callback)
    },
  })
}

/** Without a guard: for what the operator named in the settings. */
export const trustedAgent = (): Dispatcher =>
  new Agent({ connect: { timeout: 10_000 }, headersTimeout: 600_000, bodyTimeout: 120_000 })

type Found = { address: string; family: number }
type Callback = (error: Error | null, address: string | Found[], family?: number) => void

/** As `dns.lookup`, with every address that is not public left out; an error where none is left. */
export function publicLookup(hostname: string, options: object, callback: Callback): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const fit = found.filter(({ address }) => isPublic(address))
    const [first] = fit
    if (first === undefined) return callback(forbidden(hostname), [])
    return Reflect.get(options, 'all') === true ? callback(null, fit) : callback(null, first.address, first.family)
  })
}

/** Whether an address is one of the public internet: neither private, loopback, link-local, shared nor reserved. */
export function isPublic(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return false
  // `process` unwraps IPv4 in IPv6; the other ways to write IPv4 as IPv6 have ranges of their own, none of them unicast.
  return ipaddr.process(plain).range() === 'unicast'
}

const forbidden = (host: string): Forbidden =>
  new Forbidden(
    `${host} is not on the public internet, and nodes may not reach it. An operator can allow it by ATELIER_ALLOWED_HOSTS.`,
  )
