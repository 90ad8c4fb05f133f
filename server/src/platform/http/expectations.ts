// In charge of two kinds of requests that Node.js would refuse by itself: those without a `Host` header, and those with an unknown
// `Expect` header. They are refused here instead, with a request id, a problem as the body, and a line in the log. Also in charge of
// sending `100 Continue`, which is sent only after everything that can be checked without the body.
import type { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How many bytes a body may have where the handler reads it as a stream, so that `bodyLimit` does not apply. */
    streamedBytes?: number
  }
}

/** Lets such requests through to the hooks. Has to be called before the routes are added. */
export function meetExpectations(server: FastifyInstance): void {
  const raw: EventEmitter = server.server
  const waiting = new WeakMap<IncomingMessage, ServerResponse>()
  raw.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    waiting.set(request, response)
    raw.emit('request', request, response)
  })
  raw.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    raw.emit('request', request, response),
  )
  /** A body that is declared as longer than its route takes is not asked for: it is a 413 at once. */
  const goOn = ({ raw: request, headers, routeOptions }: FastifyRequest): void => {
    const most = routeOptions.config.streamedBytes ?? routeOptions.bodyLimit
    if (most !== undefined && Number(headers['content-length']) > most) return
    waiting.get(request)?.writeContinue()
    waiting.delete(request)
  }
  // These hooks are on every request, so they call back, which costs less than a promise.
  // A client that was not asked for the body may send it or not, so nobody could tell it from a next request.
  server.addHook('onSend', ({ raw: request }, reply, payload, done) => {
    if (waiting.has(request)) reply.header('connection', 'close')
    done(null, payload)
  })
  // Last of the hooks of a route, so that who has no token is refused before.
  server.addHook('onRoute', (route) => {
    const last: preParsingHookHandler = (request, _reply, payload, done) => {
      goOn(request)
      done(null, payload)
    }
    route.preParsing = [...[route.preParsing ?? []].flat(), last]
  })
  // What no route takes has no hooks but those of the server. Its body is read before it is a 404.
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.is404) goOn(request)
    done(null, payload)
  })
}

/** Throws what `refuseHead` says. After a request without a host, or with several, its connection is closed. */
export function checkHead({ raw }: FastifyRequest, reply: FastifyReply): void {
  const refusal = refuseHead(raw)
  if (refusal?.code === 'malformed_request') reply.header('connection', 'close')
  if (refusal) throw refusal
}

/** A refusal if the request does not say once to which host it goes (RFC 9112, section 3.2), or expects what is not known here. */
export function refuseHead({ rawHeaders, headers, httpVersion }: IncomingMessage): Refusal | null {
  if (httpVersion !== '1.1') return null
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1) return new Refusal('malformed_request', 'Send one Host header.')
  const { expect } = headers
  if (expect === undefined || /^100-continue$/i.test(expect.trim())) return null
  return new Refusal('expectation_failed', 'Expect may only be 100-continue.')
}
