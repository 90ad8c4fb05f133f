// In charge of how long a connection may be silent. Node.js closes a connection on which nothing is sent for `silentMs`. While a
// request is being worked on, nothing is sent either, and some work takes longer: a store needs minutes to take a large upload, for
// example because it sends it on to a bucket, and a slow machine needs minutes to change a hundred of the largest tasks.
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** How long a connection may be silent, in ms: while a request or a response is on its way. */
export const silentMs = 60_000
/** How long a connection may be silent while a request that has arrived is being worked on, in ms. */
export const workingMs = 600_000

/** Called when a request has arrived and work on it begins. The limit ends when the response begins. */
export function beginWork({ socket, headersSent }: ServerResponse): void {
  // After a response, Node.js has set the time limit of an idle connection, which must stay.
  if (socket instanceof Socket && !headersSent) socket.setTimeout(workingMs)
}

/** Sets the usual limit again before a response is sent: callers who do not read it must not keep it for longer. */
export function limitSilenceOfResponses(server: FastifyInstance): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    if (raw.socket?.timeout === workingMs) raw.socket.setTimeout(silentMs)
    done(null, payload)
  })
}
