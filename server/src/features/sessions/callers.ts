// In charge of deciding whether a browser's request comes from a page of this service, and whether it comes from this machine.
import { isIP } from 'node:net'

type Said = { origin: string | undefined; fetchSite: string | undefined; host: string | undefined }

/**
 * Whether a page of this service sent the request. The origin of the page must be the public address or the host that the request
 * was sent to. Browsers send `Origin` with every request other than GET.
 */
export function isFromOwnPage({ origin, fetchSite, host }: Said, publicUrl: string | null): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (origin === undefined || !URL.canParse(origin)) return false
  const from = new URL(origin)
  const known = publicUrl === null ? null : new URL(publicUrl)
  // On the public host, the protocol must be the public one too: anybody on the network can change pages that are sent without TLS.
  if (from.host === known?.host) return from.origin === known.origin
  return /^https?:$/.test(from.protocol) && from.host === host?.toLowerCase()
}

type Peer = {
  /** The caller's address. If trusted proxies forwarded the request, this is the address that they report. */
  ip: string
  /** The address of this machine at which the connection arrived. */
  localAddress: string | undefined
  /** Whether a header of the request says that a proxy has forwarded the request. */
  forwarded: boolean
  trustsProxies: boolean
}

/** Whether the caller is on the machine of the service. A request through an untrusted proxy counts as coming from elsewhere. */
export function isOnThisMachine({ ip, localAddress, forwarded, trustsProxies }: Peer): boolean {
  if (forwarded && !trustsProxies) return false
  return isLoopback(ip) || (!forwarded && ip === localAddress)
}

export function isLoopback(address: string): boolean {
  const bare = address.replace(/^::ffff:/i, '')
  return bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}
