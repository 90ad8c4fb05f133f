// In charge of where a browser's request comes from: whether from a page of this service, and whether from this machine.
import { isIP } from 'node:net'

type Said = { origin: string | undefined; fetchSite: string | undefined; host: string | undefined }

/**
 * Whether a request with a cookie was sent by a page of this service: the page's origin is the public address, or the host that
 * the request went to. Browsers send `Origin` with every request other than GET.
 */
export function isFromOwnPage({ origin, fetchSite, host }: Said, publicUrl: string | null): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (origin === undefined || !URL.canParse(origin)) return false
  const from = new URL(origin)
  const known = publicUrl === null ? null : new URL(publicUrl)
  // A page on the public host must also use the protocol of the public address: without TLS, anybody in between can change a page.
  if (from.host === known?.host) return from.origin === known.origin
  return /^https?:$/.test(from.protocol) && from.host === host?.toLowerCase()
}

type Peer = {
  /** The caller's address, as reported by trusted proxies. */
  ip: string
  /** The address on this machine at which the connection arrived. */
  localAddress: string | undefined
  /** Whether a header says that a proxy forwarded the request. */
  forwarded: boolean
  trustsProxies: boolean
}

/** Whether the caller is on the machine of the service. A request through an untrusted proxy may come from anywhere. */
export function isOnThisMachine({ ip, localAddress, forwarded, trustsProxies }: Peer): boolean {
  if (forwarded && !trustsProxies) return false
  return isLoopback(ip) || (!forwarded && ip === localAddress)
}

export function isLoopback(address: string): boolean {
  const bare = address.replace(/^::ffff:/i, '')
  return bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}
