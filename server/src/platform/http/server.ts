// In charge of creating the HTTP server: its limits, headers, request ids, metrics, error handling, and 404 responses.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from '@atelier/contract/wire/errors.ts'
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
import { type Methods, watchRoutes } from './allowed-methods.ts'
import { brokenAnswerer } from './broken-request.ts'
import { isEncoded } from './content-coding.ts'
import { checkHead, meetExpectations } from './expectations.ts'
import { watchConnections } from './idle-connections.ts'
import { sendLongTextsAsBytes } from './long-texts.ts'
import { metadataUrl, oauthResource } from './oauth-metadata.ts'
import type { Rates } from './rates.ts'
import { isOfFastify, refuse } from './refuse.ts'
import { securityHeaders } from './security-headers.ts'
import { limitSilenceOfResponses, silentMs } from './silence.ts'
import { type BodyPace, bodyPace, endSlowBodies } from './slow-bodies.ts'
import { traceIdOf, traceRequests } from './trace-requests.ts'
import { lostPage, type Web } from './web.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The id of the route in the contract, used as a label in the metrics. */
    routeId?: string
    /** Whether the route changes anything; successful reads are logged at `debug`. Default: true for methods other than GET. */
    writes?: boolean
    /** Set for routes that the operator's monitoring calls: the rate limits never refuse such requests. */
    unlimited?: true
  }
}

export type HttpGiven = {
  config: Config
  log: Log
  availability: Availability
  metrics: Pick<Metrics, 'observeRequest'>
  rates: Pick<Rates, 'stranger'>
  draining: () => boolean
  /**
   * The built web app, whose page is also shown to a person who opens an unknown address; if it is null or left out, this process
   * serves only the API.
   */
  web?: Web | null
  /** For tests: how slowly the body of a request may arrive. */
  pace?: BodyPace | undefined
}

export async function createServer({
  config,
  log,
  availability,
  metrics,
  rates,
  draining,
  web = null,
  pace = bodyPace,
}: HttpGiven): Promise<FastifyInstance> {
  const challenge = `Bearer realm="atelier"${oauthResource(config) ? `, resource_metadata="${metadataUrl(config)}"` : ''}`
  const loggerInstance: FastifyBaseLogger = log
  const everyAnswer = securityHeaders(config.publicUrl)
  const server = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: config.bodyLimit,
    // 64 KB leave room for a filter of 16 KB in the URL, in which most characters of the filter are encoded as three. Node.js looks
    // for headers that are overdue every 5 s instead of every 30 s, because each slow client occupies a connection.
    // A request without `Host` is refused by `checkHead`, so that it gets an id, a problem and a line in the log.
    http: {
      ...{ maxHeaderSize: 65_536, headersTimeout: 20_000, connectionsCheckingInterval: 5_000 },
      requireHostHeader: false,
    },
    routerOptions: {
      maxParamLength: 500,
      // The contract's parser reads the query itself, together with path and body, so that all errors are reported together.
      querystringParser: () => ({}),
    },
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : randomUUID()
    },
    // This runs before any hook, so it has to add the headers that hooks add to other responses.
    frameworkErrors: (error, request, reply) => {
      reply.headers(everyAnswer).header('x-request-id', request.id)
      return refuse(error, request, reply, challenge)
    },
    clientErrorHandler: brokenAnswerer(log, everyAnswer),
    forceCloseConnections: false,
    // How long a whole request may take to arrive depends on its pace (slow-bodies.ts), so Node.js itself sets no limit. But a
    // connection on which nothing is sent for one minute is closed, unless a request is being worked on (silence.ts).
    requestTimeout: 0,
    connectionTimeout: silentMs,
    return503OnClosing: false,
  })

  endSlowBodies(server.server, pace)
  const endIdle = watchConnections(server.server)
  server.addHook('preClose', async () => endIdle())
  meetExpectations(server)
  const methods = watchRoutes(server)
  takeBytes(server)
  refuseOtherTypes(server)

  const tracer = activeTracer()
  if (tracer) traceRequests(server, tracer)
  // This hook must be async: then no response is sent before Node's HTTP parser has checked the bytes that came with the headers.
  server.addHook('onRequest', async (request, reply) => {
    reply.headers(everyAnswer).header('x-request-id', request.id)
    checkHead(request, reply)
    methods.requireOwn(request, reply)
  })
  // While this process stops, clients should send their next request to another process, over a new connection.
  server.addHook('onSend', (_request, reply, _payload, done) => {
    if (draining()) reply.header('connection', 'close')
    done()
  })
  sendLongTextsAsBytes(server)
  limitSilenceOfResponses(server)
  // Requests are counted after the route's own `onRequest` hook. So requests that this hook refuses, because the process stops or
  // the database is unavailable, are not counted.
  server.addHook('onRoute', (route) => {
    if (route.config?.unlimited) return
    const count = ({ ip }: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      rates.stranger(ip)
      done()
    }
    route.onRequest = [...[route.onRequest ?? []].flat(), count]
  })
  keepLengths(server)
  logAnswers(server, metrics, log)
  answerTrouble(server, { availability, rates, web }, methods, challenge)
  return server
}

/** Sets what becomes of thrown errors, and of requests that no route takes. */
function answerTrouble(
  server: FastifyInstance,
  { availability, rates, web }: Required<Pick<HttpGiven, 'availability' | 'rates' | 'web'>>,
  methods: Methods,
  challenge: string,
): void {
  server.setErrorHandler((error, request, reply) => {
    availability.report(error)
    // After a 413 or 415 of a parser, Fastify would close the connection, and clients that send all of a body before they read an
    // answer would get none. So the connection is kept, and Node.js reads the rest of the body and drops it. How large that rest is
    // has no limit, since the same client could send as much in new requests; how long it may take has: 600 s after the headers
    // (`freeMs` in slow-bodies.ts), or about a minute of silence on the connection.
    if (isAnsweredEarly(error)) reply.removeHeader('connection')
    return refuse(request.is404 && isOfFastify(error) ? lost(request, reply) : error, request, reply, challenge)
  })
  // Fastify refuses some requests for their body or its type (a QUERY without a type is one) before the handler of requests that no
  // route takes could run. What the caller has to know is that no route takes it.
  const lost = (request: FastifyRequest, reply: FastifyReply): unknown => {
    try {
      rates.stranger(request.ip)
      return methods.refusal(request, reply)
    } catch (limited) {
      return limited
    }
  }
  const toProgram = (request: FastifyRequest, reply: FastifyReply) =>
    refuse(methods.refusal(request, reply), request, reply, challenge)
  server.setNotFoundHandler((request, reply) => {
    rates.stranger(request.ip)
    return lostPage(web, request, reply) ?? toProgram(request, reply)
  })
}

function keepLengths(server: FastifyInstance): void {
  // Fastify adds a HEAD route to each GET route, and sets `content-length` to the size of the body that a GET would send. A 304 has no
  // body, so Fastify would set 0, but in a 304 this header means the size of the whole record (RFC 9110, section 8.6). So it is
  // removed, in a handler that runs after Fastify's own.
  server.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') route.onSend = [...[route.onSend ?? []].flat(), dropLengthOf304]
  })
}

function takeBytes(server: FastifyInstance): void {
  // Bodies arrive as bytes, because the contract's parser reads the body together with path and query.
  server.removeAllContentTypeParsers()
  const json = /^application\/(?:[\w.-]+\+)?json(?:$|\s*;)/i
  server.addContentTypeParser(json, { parseAs: 'buffer' }, ({ headers, is404 }, body, done) => {
    const why = is404 || body.length === 0 ? null : whyUnread(headers)
    done(why === null ? null : new Refusal('unsupported_media_type', why), body)
  })
}

/** Returns why a body that is declared as JSON is not read; null if it is. */
function whyUnread(headers: IncomingHttpHeaders): string | null {
  if (isEncoded(headers))
    return 'Send the JSON as it is, without Content-Encoding, and no Transfer-Encoding but chunked.'
  // JSON has no `charset` (RFC 8259, section 11), but some clients declare one. In another one than UTF-8, letters that are not ASCII
  // would be refused as invalid UTF-8, or be read as others.
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(headers['content-type'] ?? '') ?? []
  return /^(?:utf-?8|(?:us-)?ascii)$/i.test(charset) ? null : 'Send the JSON in UTF-8, and declare no other charset.'
}

const dropLengthOf304 = (
  _request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void => {
  if (reply.statusCode === 304) reply.removeHeader('content-length')
  done(null, payload)
}

/** Whether an error is the answer to a request whose body has not been read, or not to its end. */
const isAnsweredEarly = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'unsupported_media_type' || error.code === 'FST_ERR_CTP_BODY_TOO_LARGE')

/**
 * Adds the parser for bodies that are not declared as JSON. An empty one counts as no body, because some clients send a type even
 * then (`curl -d ''` does). One with bytes is a 415 before it is read: `Content-Length` says so, or else the first bytes do.
 */
function refuseOtherTypes(server: FastifyInstance): void {
  server.addContentTypeParser('*', async ({ headers, is404 }: FastifyRequest, payload: Readable) => {
    if (is404 || !(Number(headers['content-length']) > 0 || (await hasBytes(payload)))) return
    throw new Refusal('unsupported_media_type', 'Send the body as Content-Type: application/json.')
  })
}

const hasBytes = (payload: Readable): Promise<boolean> =>
  new Promise((resolve, reject) => {
    payload.once('data', () => resolve(true))
    payload.once('end', () => resolve(false))
    payload.once('error', reject)
    payload.resume()
  })

/** Counts each response and logs it. */
function logAnswers(server: FastifyInstance, metrics: HttpGiven['metrics'], log: Log): void {
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
          user_id: request.actor?.userId ?? undefined,
          trace_id: traceIdOf(request) ?? undefined,
        },
        'request',
      )
    }
    done()
  })
}
