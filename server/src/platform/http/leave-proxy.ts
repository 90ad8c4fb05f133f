// In charge of leaving a proxy in front of this process without losing a request. A proxy keeps connections open and sends the next
// request over one of them. If this process closed them all when it stops, a request that is on its way over one would be lost, and
// a proxy does not send a POST again.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { Server } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Takes no new connections any more, which a proxy answers by trying another process. Resolves when all connections are closed, or
 * after `mostMs`. Meanwhile the requests that come over open connections have to be answered with `Connection: close`: so a
 * connection that is in use is closed at a moment at which no request can be on its way.
 */
export async function leaveProxy(server: HttpServer, mostMs: number): Promise<void> {
  if (!server.listening) return
  const ended = new AbortController()
  const closed = once(server, 'close', { signal: ended.signal })
  // The method of the HTTP server would close all connections that are not in use at this moment.
  Server.prototype.close.call(server)
  await Promise.race([closed, wait(mostMs, undefined, { signal: ended.signal })])
  ended.abort()
  await closed.catch(() => undefined)
}
