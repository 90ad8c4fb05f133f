// In charge of how much a page reads of the service while something is done to it.
import type { Page } from 'playwright-core'

/** `bytes` of the bodies, as the page has them to parse. What the service tells by itself (`/events`) is none of them. */
export type Traffic = { answers: number; bytes: number; seconds: number }

export async function trafficOf(page: Page, action: () => Promise<unknown>): Promise<Traffic> {
  const session = await page.context().newCDPSession(page)
  const reads = new Set<string>()
  const traffic = { answers: 0, bytes: 0 }
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const { pathname } = new URL(response.url)
    if (!pathname.startsWith('/api/') || pathname.endsWith('/events')) return
    reads.add(requestId)
    traffic.answers += 1
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (reads.has(requestId)) traffic.bytes += dataLength
  })
  await session.send('Network.enable')
  const began = performance.now()
  await action()
  const seconds = (performance.now() - began) / 1000
  await session.detach()
  return { ...traffic, seconds }
}
