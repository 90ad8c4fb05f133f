// In charge of where a browser's request comes from: a page of ours, and the machine we run on.
import { isIP } from 'node:net'

type Said = { origin: string | undefined; fetchSite: string | undefined; host: string | undefined }

/**
 * Whether a request that goes by a cookie was sent by a page of this service: by its public address, or by the host that
 * served the page, which is the one the request went to. Browsers send `Origin` with every request that is no GET.
 */
export function isFromOwnPage({ origin, fetchSite, host }: Said, publicUrl: string | null): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin') return false
  if (origin === undefined || !URL.canParse(origin)) return false
  const from = new URL(origin)
  const known = publicUrl === null ? null : new URL(publicUrl)
  // Of the public host only by its own protocol: a page without TLS could be anybody's.
  if (from.host === known?.host) return from.origin === known.origin
  return /^https?:$/.test(from.protocol) && from.host === host?.toLowerCase()
}

type Peer = {
  /** The caller's address, as reported by trusted proxies. */
  ip: string
  /** Our end of the connection. */
  localAddress: string | undefined
  /** Whether a header says that somebody passed the request on. */
  forwarded: boolean
  trustsProxies: boolean
}

/** Whether the caller is on the machine of the service. A proxy that is not trusted speaks for callers from anywhere. */
export function isOnThisMachine({ ip, localAddress, forwarded, trustsProxies }: Peer): boolean {
  if (forwarded && !trustsProxies) return false
  return isLoopback(ip) || (!forwarded && ip === localAddress)
}

export function isLoopback(address: string): boolean {
  const bare = address.replace(/^::ffff:/i, '')
  return bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'))
}
