// In charge of deciding to which addresses nodes may connect: to public addresses, and to hosts that the operator has listed. For a
// host name, the addresses to which it resolves decide.
import { lookup } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'
import { Agent, buildConnector, type Dispatcher } from 'undici'

/** Thrown instead of sending a request to a forbidden address. */
export class Forbidden extends Error {}

/**
 * A connection agent that checks an address at the moment it connects to it. So a private address cannot be reached by a host name
 * that resolves to another address in a later look-up, nor by a redirect.
 * @param allowedHosts `name` or `name:port`; these hosts are allowed whatever their address is.
 */
export function guardedAgent(allowedHosts: readonly string[]): Dispatcher {
  const allowed = new Set(allowedHosts.map((host) => host.toLowerCase()))
  const limits = { connect: { timeout: 10_000 }, headersTimeout: 300_000, bodyTimeout: 60_000 }
  const direct = buildConnector({ timeout: limits.connect.timeout })
  const guarded = buildConnector({ timeout: limits.connect.timeout, lookup: publicLookup })
  return new Agent({
    ...limits,
    // Each connection carries one request at a time, so that a broken connection makes only one call fail.
    pipelining: 0,
    connect: (options, callback) => {
      const hostname = options.hostname.replace(/^\[|\]$/g, '').toLowerCase()
      // undici gives no port where the address has the usual one.
      const port = options.port || (options.protocol === 'https:' ? '443' : '80')
      const isAllowed = allowed.has(hostname) || allowed.has(`${hostname}:${port}`)
      // A host name that is itself an IP address is checked here, because `publicLookup` is not called for it.
      if (!isAllowed && isIP(hostname) !== 0 && !isPublic(hostname)) return callback(forbidden(hostname), null)
      return (isAllowed ? direct : guarded)(options, callback)
    },
  })
}

/** An agent that checks no address, for requests to addresses that the operator set. */
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

/**
 * Addresses outside the private ranges that are not on the public internet: at 168.63.129.16, Azure answers only its own machines, and
 * tells them their secrets.
 */
const notPublic: readonly string[] = ['168.63.129.16']

/**
 * Whether an address is on the public internet: not private, loopback, link-local, shared or reserved, nor one of this machine. The
 * operating system connects to its own public address without the firewall that guards it against others. `own`: the addresses of
 * this machine.
 */
export function isPublic(address: string, own: readonly string[] = ownAddresses()): boolean {
  const plain = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(plain)) return false
  // The library reads `::1.2.3.4` as `::ffff:1.2.3.4`, an IPv4 address; the operating system does not, so it is refused here.
  if (/^::\d+\./.test(plain)) return false
  // If the IPv6 address stands for an IPv4 address (`::ffff:1.2.3.4`), `process` returns that IPv4 address.
  const parsed = ipaddr.process(plain)
  if (parsed.range() !== 'unicast') return false
  if ([...notPublic, ...own].some((one) => sameAddress(one, parsed))) return false
  return parsed.kind() === 'ipv4' || isGlobal(ipaddr.IPv6.parse(plain))
}

/** They are read each time, because a machine may get others while this process runs. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))

const sameAddress = (one: string, other: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  ipaddr.isValid(one) && ipaddr.process(one).toString() === other.toString()

/** Parts of 2000::/3 without hosts on the internet: they are for protocols, for documentation, or stand for IPv4 addresses. */
const special = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
)

/** Whether a host on the internet may have this address. Outside 2000::/3, addresses stand for IPv4 addresses or are unassigned. */
const isGlobal = (address: ipaddr.IPv6): boolean =>
  address.match(ipaddr.IPv6.parseCIDR('2000::/3')) && !special.some((range) => address.match(range))

const forbidden = (host: string): Forbidden =>
  new Forbidden(
    `${host} is not on the public internet, and nodes may not reach it. An operator can allow it by ATELIER_ALLOWED_HOSTS.`,
  )
