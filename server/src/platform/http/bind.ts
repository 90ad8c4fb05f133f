// In charge of adding contract routes to the server, with the steps of each request: authentication, parsing, handler, response.
import { finished, Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BodyOf, ParamsOf, QueryOf, Route } from '@atelier/contract/routes/route.ts'
import { valuesOf } from '@atelier/contract/vocabulary.ts'
import { Invalid, Refusal, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { errorAt, extraForbidden, valueError } from '@atelier/contract/wire/validation-errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, actorKey, requireScope } from '../actor.ts'
import type { Auth } from '../auth.ts'
import type { Availability } from '../availability.ts'
import type { Config } from '../config.ts'
import type { Database, Db } from '../db.ts'
import { errorList } from '../error-list.ts'
import { InexactNumber } from '../exact-numbers.ts'
import { isUuid } from '../ids.ts'
import { checkText, inexactErrors, parseQuery, readJsonBody } from '../json-body.ts'
import { isObject } from '../request-schema.ts'
import { createTurns, inTurn } from '../turns.ts'
import { compileValidator } from '../validation.ts'
import { type Answer, bareText, envelopeText, JsonParts, JsonStream, json } from './answer.ts'
import { type Claim, claimKey, hashRequest, type Kept, keepAnswer, readKey } from './idempotency.ts'
import { freeOnceSent, joined } from './long-texts.ts'
import { etagMatches, requireMatch } from './preconditions.ts'
import { wantsMinimal } from './preferences.ts'
import type { Rates } from './rates.ts'
import { resolveSchema } from './schemas.ts'
import { beginWork } from './silence.ts'

/** What a handler receives. `db` is the request's transaction if the route writes, and otherwise the main handle. */
export type Context<R extends Route> = {
  db: Db
  actor: Actor
  params: ParamsOf<R>
  query: QueryOf<R>
  body: BodyOf<R>
  /** True if the caller does not want the whole record in the response; only possible on routes that are `minimal`. */
  minimal: boolean
  /** Throws `precondition_failed` if the request has an If-Match header that does not contain this revision. */
  requireMatch(revision: number): void
}

type Handler<R extends Route> = (context: Context<R>) => Promise<Answer>
/**
 * Finds errors of a request's query that the schema of the query cannot express, such as a cursor of another list. Called only if
 * the request is refused anyway: then the response can list these errors too. Skips the members in `refused`, which already have an
 * error. If the request has no other errors, this function is not called, and the handler throws these errors itself.
 */
export type QueryErrors = (
  query: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string | number | undefined>,
) => ValidationError[]
export type Bind = <R extends Route>(route: R, handler: Handler<R>, queryErrors?: QueryErrors) => void
/** Work to do before the transaction of a request begins, for example because the work is slow. Returns the handler. */
type Before<R extends Route> = (
  context: Pick<Context<R>, 'actor' | 'params' | 'query' | 'body'> & {
    /** Calls the function once the work is done, and the response has been sent or its caller is gone. */
    onceSent(effect: () => void): void
  },
) => Promise<Handler<R>>
export type BindStaged = <R extends Route>(route: R, before: Before<R>) => void

export type Deps = {
  database: Database
  auth: Auth
  guests: { authenticate(header: string | undefined): Promise<Actor> }
  availability: Availability
  config: Config
  rates: Pick<Rates, 'known' | 'begin'>
  /** Returns true once this process refuses all requests, because it is about to end. */
  closing: () => boolean
}
/** `key`: the request's Idempotency-Key; null if it has none, or if the route has no use for one. */
type Parsed = { params: Record<string, string>; query: unknown; body: unknown; key: string | null }
export type Request = FastifyRequest<{ Params: Record<string, string> }>

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null
  }
}

export const nobody: Actor = { tokenId: null, userId: null, role: null, name: null, scopes: new Set() }

/** Large bodies are handled a few at a time: a parsed body may need ten times as much memory as its bytes until the response is ready. */
const isLargeBody = (body: unknown): boolean => Buffer.isBuffer(body) && body.length >= 262_144

/** Returns two functions that add a route of the contract to the server. */
export function binder(server: FastifyInstance, deps: Deps): { bind: Bind; bindStaged: BindStaged } {
  const { config } = deps
  server.decorateRequest('actor', null)
  const largeBodies = createTurns({
    ...{ most: 8, mostWaiting: 24, waitMs: 20_000, turnMs: 120_000 },
    what: 'large bodies are being worked on',
  })

  const put = <R extends Route>(route: R, before: Before<R>, queryErrors?: QueryErrors): void => {
    const parse = parser(route, config, queryErrors)
    const answer = answerer(route, deps, async (request, { params, query, body }, onceSent) => {
      // The parser has validated these values against the schemas from which their types are derived.
      const asked = { params, query, body } as Pick<Context<typeof route>, 'params' | 'query' | 'body'>
      const given = { actor: request.actor ?? nobody, ...asked }
      const handler = await before({ ...given, onceSent })
      return (db) =>
        handler({
          db,
          ...given,
          minimal: route.minimal && wantsMinimal(request.headers.prefer),
          requireMatch: (revision) => requireMatch(request.headers['if-match'], revision),
        })
    })
    server.route<{ Params: Record<string, string> }>({
      ...entrance(route, deps),
      ...(route.bodyBytes === null ? {} : { bodyLimit: Math.max(route.bodyBytes, config.bodyLimit) }),
      handler: (request: Request, reply) => {
        beginWork(reply.raw)
        return isLargeBody(request.body)
          ? inTurn(largeBodies, () => answer(request, reply, parse(request)))
          : answer(request, reply, parse(request))
      },
    })
  }
  return {
    bind: (route, handler, queryErrors) => put(route, async () => handler, queryErrors),
    bindStaged: (route, before) => put(route, before),
  }
}

/** Returns the method, URL and hooks for a contract route. The hooks check every request before its body is read. */
export function entrance(
  route: Route,
  { auth, guests, availability, rates, closing }: Pick<Deps, 'auth' | 'guests' | 'availability' | 'rates' | 'closing'>,
) {
  return {
    method: route.method,
    url: route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    config: { routeId: route.id, writes: route.effect === 'write' },
    onRequest: (_request: FastifyRequest, _reply: FastifyReply, done: () => void) => {
      if (closing()) throw new Refusal('shutting_down', 'This server is stopping; another one will answer.')
      availability.require()
      done()
    },
    // Runs after the limit on requests per address, which is checked in an `onRequest` hook, and before the body is read.
    preParsing: async (request: FastifyRequest) => {
      if (route.access === 'public') return
      if (route.access === 'guest') {
        request.actor = await guests.authenticate(request.headers.authorization)
        rates.known(request.ip, request.actor)
        return
      }
      request.actor = await auth.authenticate(request.headers.authorization)
      rates.known(request.ip, request.actor)
      requireScope(request.actor, route.access)
    },
  }
}

/**
 * Parses and validates path, query, body and Idempotency-Key. Throws `Invalid` with the errors of all four, or else a 404 for a
 * malformed id.
 */
export function parser(
  route: Route,
  config: Config,
  queryErrors: QueryErrors = () => [],
): (request: Request) => Parsed {
  const values = valuesOf(config.vocabulary)
  const compile = (schema: Route['params'], where: 'path' | 'query' | 'body') =>
    compileValidator(resolveSchema(schema, values), where)
  const validatePath = compile(route.params, 'path')
  const validateQuery = compile(route.query, 'query')
  const validateBody = route.body ? compile(route.body, 'body') : null

  return (request) => {
    const path = validatePath(request.params)
    const raw = parseQuery(queryText(request.raw.url ?? ''))
    const query = validateQuery(raw.values)
    const body =
      validateBody === null && request.body === undefined ? noBody : readBody(route, request.body, validateBody)
    const header = readKey(route.idempotent ? request.headers['idempotency-key'] : undefined)
    const ofQuery = [...raw.errors, ...query.errors]
    const ofPath = [...pathTextErrors(request.params), ...path.errors]
    const errors = [...ofPath, ...ofQuery, ...body.errors, ...header.errors]
    if (errors.length > 0) {
      const refused = new Set(ofQuery.map(({ loc }) => loc[1]))
      const members = Object.entries(query.value ?? {}).filter(([name]) => !refused.has(name))
      throw new Invalid([...errors, ...queryErrors(Object.fromEntries(members), refused)])
    }
    for (const [name, id] of Object.entries(request.params)) {
      if (name.endsWith('_id') && !isUuid(id)) throw new Refusal('not_found', `There is nothing with the id ${id}.`)
    }
    return { params: request.params, query: query.value, body: body.value, key: header.key }
  }
}

/** Returns everything after the first `?` of a URL; a parameter's value may itself contain a `?`. */
const queryText = (url: string): string => (url.includes('?') ? url.slice(url.indexOf('?') + 1) : '')

type Checked = { value: unknown; errors: readonly ValidationError[] }
const noBody: Checked = { value: null, errors: [] }

function readBody(route: Route, raw: unknown, validate: ((raw: unknown) => Checked) | null): Checked {
  const bytes = Buffer.isBuffer(raw) ? raw : Buffer.alloc(0)
  try {
    const { value, inexact } = readJsonBody(bytes)
    if (!validate) return refuseMembers(value)
    if (route.bodyOptional && (value === undefined || value === null)) return { value: null, errors: [] }
    const checked = validate(value)
    return { value: checked.value, errors: [...checked.errors, ...inexactErrors(inexact, checked.errors)] }
  } catch (error) {
    if (error instanceof Invalid) return { value: null, errors: error.detail }
    throw error
  }
}

/** Refuses a body with members on a route without a body, because a client that sends a member expects it to have an effect. */
function refuseMembers(value: unknown): Checked {
  if (value === undefined || value === null) return { value: null, errors: [] }
  const members: [string[], unknown][] =
    isObject(value) && !(value instanceof InexactNumber)
      ? Object.entries(value).map(([name, member]) => [['body', name], member])
      : [[['body'], value]]
  const found = errorList()
  for (const [loc, input] of members.slice(0, 100)) found.add(extraForbidden, loc, input)
  return { value: null, errors: found.entries }
}

const pathTextErrors = (params: Record<string, string>): ValidationError[] =>
  Object.entries(params)
    .filter(([, value]) => checkText(value) !== null)
    .map(([name, value]) =>
      errorAt(['path', name], valueError('text may not contain NUL or lone surrogates'), value.toWellFormed()),
    )

/** An answer that is made and sent part by part. */
type Parted = Answer & { data: JsonStream }
const isParted = (answer: Answer): answer is Parted => answer.data instanceof JsonStream

type Run = (db: Db) => Promise<Answer>
type Stage = (request: Request, parsed: Parsed, onceSent: (effect: () => void) => void) => Promise<Run>

/** Returns a function that runs the handler as the route requires (transaction, idempotency) and sends the response. */
function answerer(route: Route, { database, availability }: Pick<Deps, 'database' | 'availability'>, stage: Stage) {
  const frame = route.framing === 'envelope' ? envelopeText : bareText

  const toKept = (answer: Answer): Kept => {
    const headers = answer.etag ? { etag: answer.etag } : {}
    if (answer.location) {
      const minimal = { location: answer.location, 'preference-applied': 'return=minimal' }
      return { status: 204, headers: { ...headers, ...minimal }, body: '' }
    }
    return { status: route.status, headers, body: route.framing === 'empty' ? '' : frame(answer) }
  }

  /** Returns the answer as a whole, or an answer in parts, which is not kept with a key. */
  const write = (run: Run, request: Request, { body, key }: Parsed): Promise<Kept | Parted> =>
    database.tx(async (tx) => {
      if (key === null) {
        const answer = await run(tx)
        return isParted(answer) ? answer : toKept(answer)
      }
      const claim: Claim = {
        actor: actorKey(request.actor ?? nobody),
        key,
        requestHash: hashRequest(route, request.url, body),
      }
      const repeated = await claimKey(tx, claim)
      if (repeated) {
        return { ...repeated, headers: { ...repeated.headers, 'idempotent-replayed': 'true' } }
      }
      const fresh = toKept(await gathered(await run(tx)))
      await keepAnswer(tx, claim, fresh)
      return fresh
    })

  const respond = async (request: Request, reply: FastifyReply, parsed: Parsed, run: Run): Promise<FastifyReply> => {
    if (route.effect === 'write') {
      const done = await write(run, request, parsed)
      availability.wrote()
      return 'body' in done ? sendKept(reply, done) : sendStream(reply.status(route.status), route, done)
    }
    const answer = await run(database.main)
    if (answer.data instanceof JsonParts) return sendPieces(reply.status(route.status), answer.data.pieces())
    if (isParted(answer)) return sendStream(reply.status(route.status), route, answer)
    const kept = toKept(answer)
    if (answer.volatile || !etagMatches(request.headers['if-none-match'], kept.headers.etag))
      return sendKept(reply, kept)
    return reply.headers(kept.headers).status(304).send()
  }

  return async (request: Request, reply: FastifyReply, parsed: Parsed): Promise<FastifyReply> => {
    const effects: (() => void)[] = []
    try {
      const run = await stage(request, parsed, (effect) => void effects.push(effect))
      return await respond(request, reply, parsed, run)
    } finally {
      // Not before: if the caller hangs up, the work goes on, and it needs as much as before.
      for (const effect of effects) finished(reply.raw, () => effect())
    }
  }
}

const jsonType = 'application/json; charset=utf-8'

/**
 * A text of up to this many characters is sent at once. As a stream, each piece waits until the caller has read the one before it:
 * lookups of 100 handles (half a megabyte) then took a fifth more processor time, and their 99th percentile was twice as long.
 */
const mostAtOnce = 1_048_576

/** Sends a text of up to `mostAtOnce` at once; a longer one as a stream, whose pieces are made only as fast as the caller reads them. */
function sendPieces(reply: FastifyReply, pieces: Generator<string, undefined>): FastifyReply {
  reply.type(jsonType)
  const begun: string[] = []
  for (let length = 0; length <= mostAtOnce; ) {
    const next = pieces.next()
    if (next.done) return reply.send(joined(begun, reply.raw))
    begun.push(next.value)
    length += next.value.length
  }
  // If the caller has disconnected before the stream is read for the first time, `inTurns` never runs, so it cannot end `pieces`.
  finished(reply.raw, () => void pieces.return(undefined))
  return reply.send(Readable.from(inTurns(begun, pieces)))
}

/** Sends a stream. An error before its first piece still becomes a refusal. At most one piece is buffered for a slow caller. */
async function sendStream(reply: FastifyReply, route: Route, answer: Parted): Promise<FastifyReply> {
  const pieces = answer.data.pieces(route.framing === 'envelope')
  const first = await pieces.next()
  const all = async function* (): AsyncGenerator<string | Buffer> {
    yield first.value ?? ''
    for await (const piece of pieces) {
      yield piece
      if (typeof piece !== 'string') await freeOnceSent(reply.raw, piece)
    }
  }
  const headers = answer.etag ? { etag: answer.etag } : {}
  return reply
    .headers(headers)
    .type(jsonType)
    .send(Readable.from(all(), { highWaterMark: 1 }))
}

/** Returns an answer whose text is whole, so that it can be kept. */
async function gathered(answer: Answer): Promise<Answer> {
  if (!isParted(answer)) return answer
  const { parts } = answer.data
  const texts: string[] = []
  let next = await parts.next()
  for (; !next.done; next = await parts.next()) texts.push(next.value.toString())
  return { ...answer, ...next.value, data: json(texts.join('')) }
}

/** Waits one turn of the event loop between two pieces; otherwise a fast caller would block all other requests. */
async function* inTurns(begun: string[], pieces: Iterable<string>): AsyncGenerator<string> {
  yield* begun
  for (const piece of pieces) {
    await nextTurn()
    yield piece
  }
}

function sendKept(reply: FastifyReply, { status, headers, body }: Kept): FastifyReply {
  reply.headers(headers).status(status)
  return body === '' ? reply.send() : reply.type(jsonType).send(body)
}
