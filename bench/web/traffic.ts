// In charge of measuring how much a page reads from the service during an action.
import type { Page } from 'playwright-core'

/** `bytes`: the size of the response bodies after decompression. The event stream (`/events`) is not counted. */
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
