// In charge of deciding which addresses nodes may connect to: public addresses, and hosts that the operator has listed. A host name
// is judged by the addresses to which it resolves.
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher } from 'undici'

/** Thrown where a request would go to a forbidden address. The request was not sent. */
export class Forbidden extends Error {}

/**
 * A connection agent that checks the exact address to which it connects, at the moment it connects. So a private address cannot be
 * reached by a DNS name that later resolves to another address, nor by a redirect.
 * @param allowedHosts `name` or `name:port`; these hosts are allowed whatever their address is.
 */
export function guardedAgent(allowedHosts: readonly string[]): Dispatcher {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const limits = { connect: { timeout: 10_000 }, headersTimeout: 300_000, bodyTimeout: 60_000 }
  const direct = buildConnector({ timeout: limits.connect.timeout })
  const guarded = buildConnector({ timeout: limits.connect.timeout, lookup: publicLookup })
  return new Agent({
    ...limits,
    // No pipelining, so that a broken connection fails only one call.
    pipelining: 0,
    connect: (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '').toLowerCase()
      const isAllowed = allowed.has(hostname) || allowed.has(`${hostname}:${options.port}`)
      // `publicLookup` is not called for a host name that is an IP address, so such an address is checked here.
      if (!isAllowed && isIP(hostname) !== 0 && !isPublic(hostname)) return callback(forbidden(hostname), null)
      return (isAllowed ? direct : guarded)(options, callback)
    },
  })
}

/** An agent without address checks, for addresses that the operator set. */
export const trustedAgent = (): Dispatcher =>
  new Agent({ connect: { timeout: 10_000 }, headersTimeout: 600_000, bodyTimeout: 120_000 })

type Found = { address: string; family: number }
type Callback = (error: Error | null, address: string | Found[], family?: number) => void

/** Like `dns.lookup`, but leaves out addresses that are not public. Calls back with an error if no address is left. */
export function publicLookup(hostname: string, options: object, callback: Callback): void {
  lookup(hostname, { ...options, all: true }, (error, found) => {
    if (error) return callback(error, [])
    const fit = found.filter(({ address }) => isPublic(address))
    const [first] = fit
    if (first === undefined) return callback(forbidden(hostname), [])
    return Reflect.get(options, 'all') === true ? callback(null, fit) : callback(null, first.address, first.family)
  })
}

/** Whether an address is on the public internet: not private, loopback, link-local, shared or reserved. */
export function isPublic(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return false
  // The library reads `::` before an IPv4 address as `::ffff:`, but the operating system does not.
  if (/^::\d+\./.test(plain)) return false
  // `process` converts an IPv4 address inside an IPv6 address to plain IPv4.
  const parsed = ipaddr.process(plain)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv4' || isGlobal(ipaddr.IPv6.parse(plain))
}

/** Parts of 2000::/3 that no host on the internet uses: for protocols, for documentation, and for IPv4 addresses in IPv6. */
const special = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
)

/** Only IPv6 addresses for hosts (2000::/3) are public. All others contain an IPv4 address or have no meaning yet. */
const isGlobal = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parseCIDR('2000::/3')) && !special.some((range) => address.match(range))

const forbidden = (host: string): Forbidden =>
  new Forbidden(
    `${host} is not on the public internet, and nodes may not reach it. An operator can allow it by ATELIER_ALLOWED_HOSTS.`,
  )
