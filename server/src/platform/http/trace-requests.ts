// In charge of making a span for each request. If the client sends `traceparent` (W3C), the span continues the client's trace.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracer } from '../tracing/spans.ts'

const spans = new WeakMap<FastifyRequest, Span>()

/** Returns the id of the request's trace; null if tracing is off. */
export const traceIdOf = (request: FastifyRequest): string | null => spans.get(request)?.traceId ?? null

export function traceRequests(server: FastifyInstance, tracer: Tracer): void {
  server.addHook('onRequest', (request, _reply, done) => {
    // Health checks get no spans: they run every few seconds, so nearly all spans would be theirs, and nobody needs those.
    if (request.routeOptions.config.unlimited) return done()
    const { traceparent } = request.headers
    const route = request.routeOptions.url
    const span = tracer.begin(route === undefined ? request.method : `${request.method} ${route}`, {
      kind: 'server',
      parent: typeof traceparent === 'string' ? traceparent : null,
      attributes: {
        'http.request.method': request.method,
        'url.scheme': request.protocol,
        'url.path': request.url.split('?', 1)[0] ?? '',
        'atelier.request.id': request.id,
        ...(route === undefined ? {} : { 'http.route': route }),
      },
    })
    spans.set(request, span)
    span.within(done)
  })
  // The body arrives in events of the connection, which run outside the span's context; so this hook enters the context again.
  server.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) span.within(done)
    else done()
  })
  const end = (request: FastifyRequest, status: number | null): void => {
    const span = spans.get(request)
    if (!span) return
    if (status !== null) span.set({ 'http.response.status_code': status })
    if (status === null) span.fail('The caller hung up before the answer.')
    else if (status >= 500) span.fail(`Answered ${status}.`)
    span.end()
  }
  server.addHook('onResponse', (request, reply, done) => {
    end(request, reply.statusCode)
    done()
  })
  server.addHook('onRequestAbort', (request, done) => {
    end(request, null)
    done()
  })
}
