// In charge of deciding whether a page of this service sent a browser's request, and whether a caller is on the service's machine.
import { isIP } from 'node:net'

type Said = { origin: string | undefined; fetchSite: string | undefined; host: string | undefined }

/**
 * Whether a page of this service sent the request. The page's origin must be the public address (`publicUrl`; null: there is none)
 * or the host that the request was sent to. Without an `Origin` header the result is false: browsers send that header with every
 * request except GET and HEAD.
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
  /** The address of this machine at which the connection arrived; undefined if the connection is already closed. */
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
