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
  // The library takes IPv4 written behind `::` for IPv4 behind `::ffff:`; the system does not.
  if (/^::\d+\./.test(plain)) return false
  // `process` unwraps IPv4 in IPv6.
  const parsed = ipaddr.process(plain)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || isGlobal(ipaddr.IPv6.parse(plain))
}

/** Parts of what is given out that no host on the internet has: for tests, for documentation, for addresses inside addresses. */
const special = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
)

/** Of IPv6 only what has been given out for hosts (2000::/3): everything else is IPv4 in disguise, or is yet to mean something. */
const isGlobal = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parseCIDR('2000::/3')) && !special.some((range) => address.match(range))

const forbidden = (host: string): Forbidden =>
  new Forbidden(
    `${host} is not on the public internet, and nodes may not reach it. An operator can allow it by ATELIER_ALLOWED_HOSTS.`,
  )
