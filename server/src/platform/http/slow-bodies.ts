// In charge of ending requests whose body arrives too slowly. Node.js has one time limit for all requests (`requestTimeout`), which
// would also end a large upload that arrives steadily over a slow line.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'

export type BodyPace = {
  /** A body that has arrived within this time, in ms, may have arrived at any pace. */
  freeMs: number
  /** How often, in ms, the pace is measured after that. */
  everyMs: number
  /** The slowest pace allowed after that, as an average since the headers arrived. */
  bytesPerSecond: number
}

export const bodyPace: BodyPace = { freeMs: 600_000, everyMs: 30_000, bytesPerSecond: 16_384 }

/** A request as it is watched here. */
type Watched = Pick<IncomingMessage, 'complete' | 'headers' | 'once'> & { socket: { bytesRead: number } }

/**
 * Watches the requests of an HTTP server, and reports those that are too slow as Node.js reports them: as a `clientError` with the
 * code `ERR_HTTP_REQUEST_TIMEOUT`.
 */
export function endSlowBodies(server: EventEmitter, { freeMs, everyMs, bytesPerSecond }: BodyPace): void {
  server.on('request', (request: Watched, response: Pick<ServerResponse, 'writableEnded'>) => {
    const { headers, socket } = request
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return
    const began = performance.now()
    const before = socket.bytesRead
    const measure = (): void => {
      // A body that has arrived may stay unread, and the response may take long to send.
      if (request.complete) return
      const expected = ((performance.now() - began) / 1000) * bytesPerSecond
      // Once the response is sent, the rest of the body is read only to be dropped, and its size is not limited.
      if (!response.writableEnded && socket.bytesRead - before >= expected) {
        timer = setTimeout(measure, everyMs).unref()
        return
      }
      const error = Object.assign(new Error('The body arrived too slowly.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      server.emit('clientError', error, socket)
    }
    let timer = setTimeout(measure, freeMs).unref()
    const end = (): void => clearTimeout(timer)
    request.once('end', end).once('close', end)
  })
}
