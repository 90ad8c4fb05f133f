// In charge of the HTTP server itself: limits, headers, request ids, metrics, the one error handler, routes that are not there.
import { randomUUID } from 'node:crypto'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Availability } from '../availability.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { activeTracer } from '../tracing/spans.ts'
import { watchRoutes } from './allowed-methods.ts'
import { answerBroken } from './broken-request.ts'
import { watchConnections } from './idle-connections.ts'
import { metadataUrl, oauthResource } from './oauth-metadata.ts'
import type { Rates } from './rates.ts'
import { refuse } from './refuse.ts'
import { securityHeaders } from './security-headers.ts'
import { traceIdOf, traceRequests } from './trace-requests.ts'
import { lostPage, type Web } from './web.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's id of the route; metrics count by it. */
    routeId?: string
    /** Whether it changes anything; reads that succeed are logged at `debug`. Left out: whatever is no GET. */
    writes?: boolean
    /** Requests of the operator's own machines are never refused by the rate limits. */
    unlimited?: true
  }
}

type Deps = {
  config: Config
  log: Log
  availability: Availability
  metrics: Pick<Metrics, 'observeRequest'>
  rates: Pick<Rates, 'stranger'>
  draining: () => boolean
  /** Shown to people who come to an address that leads nowhere. */
  web?: Web | null
}

export async function createServer({
  config,
  log,
  availability,
  metrics,
  rates,
  draining,
  web = null,
}: Deps): Promise<FastifyInstance> {
  const challenge = `Bearer realm="atelier"${oauthResource(config) ? `, resource_metadata="${metadataUrl(config)}"` : ''}`
  const loggerInstance: FastifyBaseLogger = log
  const everyAnswer = securityHeaders(config.publicUrl)
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: config.bodyLimit,
    // Room for a filter of 16 KB in the address, where most of its characters take three. Slow headers are looked for more
    // often than Node.js does, every 30 s: whoever sends them holds a connection.
    http: { maxHeaderSize: 65_536, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
    routerOptions: {
      maxParamLength: 500,
      // The query is parsed by us: strictly, and with the errors of path and body.
      querystringParser: () => ({}),
    },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    },
    // Before any hook has run, so that what hooks add to answers is added here.
    frameworkErrors: (error, request, reply) => {
      reply.headers(everyAnswer).header('x-request-id', request.id)
      return refuse(error, request, reply, challenge)
    },
    clientErrorHandler: answerBroken,
    forceCloseConnections: false,
    // An upload may take minutes, but something has to move.
    requestTimeout: 600_000,
    connectionTimeout: 60_000,
    return503OnClosing: false,
  })

  const endIdle = watchConnections(server.server)
  server.addHook('preClose', async () => endIdle())
  const methods = watchRoutes(server)
  // Bodies arrive as bytes; the contract's parser reads them together with path and query.
  server.removeAllContentTypeParsers()
  const json = /^application\/(?:[\w.-]+\+)?json(?:$|\s*;)/i
  server.addContentTypeParser(json, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

  const tracer = activeTracer()
  if (tracer) traceRequests(server, tracer)
  // Async on purpose: bytes behind the headers that are no HTTP are found out before anything is answered.
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(everyAnswer).header('x-request-id', request.id)
    methods.requireOwn(request, reply)
  })
  // While this process stops, whoever is answered should ask the next one over a new connection.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining()) reply.header('connection', 'close')
    done()
  })
  // Behind the route's own first hook, which refuses everybody while there is nothing to be had.
  server.addHook('onRoute', (route) => {
    if (route.config?.unlimited) return
    const count = ({ ip }: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      rates.stranger(ip)
      done()
    }
    route.onRequest = [...[route.onRequest ?? []].flat(), count]
  })

  logAnswers(server, metrics, log)
  server.setErrorHandler((error, request, reply) => {
    availability.report(error)
    return refuse(error, request, reply, challenge)
  })
  const toProgram = (request: FastifyRequest, reply: FastifyReply) =>
    refuse(methods.refusal(request, reply), request, reply, challenge)
  server.setNotFoundHandler((request, reply) => {
    rates.stranger(request.ip)
    return lostPage(web, request, reply) ?? toProgram(request, reply)
  })
  return server
}

/** Counts each answer, and writes it to the log. */
function logAnswers(server: FastifyInstance, metrics: Deps['metrics'], log: Log): void {
  server.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest(
      request.routeOptions.config.routeId ?? 'none',
      request.method,
      reply.statusCode,
      reply.elapsedTime,
    )
    const { writes = request.method !== 'GET' } = request.routeOptions.config
    const level = reply.statusCode >= 500 ? 'warn' : !writes && reply.statusCode < 400 ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) {
      request.log[level](
        {
          method: request.method,
          path: request.url.split('?', 1)[0],
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime * 10) / 10,
          token_id: request.actor?.tokenId ?? undefined,
          trace_id: traceIdOf(request) ?? undefined,
        },
        'request',
      )
    }
    done()
  })
}
