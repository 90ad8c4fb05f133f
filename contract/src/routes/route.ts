// In charge of the description of a route as one value, from which the server, validators, OpenAPI and clients are derived.
import type { Static, TSchema } from 'typebox'
import type { Scope } from '../enums.ts'
import type { RefusalCode } from '../wire/errors.ts'

/** The form of a response: in the envelope, as JSON without envelope, as a file's bytes, as an event stream, or empty. */
type Framing = 'envelope' | 'bare' | 'file' | 'events' | 'empty'

export type Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Data extends TSchema = TSchema,
> = {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** The path as in OpenAPI, with parameters in braces. */
  path: string
  tag: string
  summary: string
  description: string
  /** The scope that a caller needs. `guest`: only for people with a guest link. `public`: for everybody. */
  access: Scope | 'guest' | 'public'
  /** The handler of a `write` has one transaction, which is repeated after a deadlock; that of a `read` has no transaction. */
  effect: 'read' | 'write'
  params: Params
  query: Query
  body: Body | null
  /** The media type of the request body: JSON, or the bytes of a file of any type. */
  bodyMedia: 'application/json' | '*/*'
  /** The maximum size of the request body in bytes; null if the server's general limit applies. */
  bodyBytes: number | null
  /** Whether the request body may be missing or null. */
  bodyOptional: boolean
  status: 200 | 201 | 204
  framing: Framing
  data: Data
  /** The refusals that the route can return in addition to those that follow from its other members (`commonRefusals`). */
  refuses: readonly RefusalCode[]
  /** Whether the route accepts an Idempotency-Key. */
  idempotent: boolean
  /** Whether the route returns an ETag. A write with this property also honours If-Match, unless it creates the record. */
  tagged: boolean
  /** Whether the route creates the record that it returns. */
  creates: boolean
  /** Whether the route accepts `Prefer: return=minimal` (RFC 7240); it then returns 204 and a location, not the large record. */
  minimal: boolean
  /** Whether the route accepts a signed link's query parameters instead of a token. */
  linkable: boolean
  /** Whether the route may redirect (307) browsers that show a file by a signed link to the store that has the bytes. */
  redirects: boolean
  examples: { body?: unknown; data?: unknown }
}

export type ParamsOf<R extends Route> = Static<R['params']>
export type QueryOf<R extends Route> = Static<R['query']>
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined

/** Whether a route honours If-Match: writes of records with a revision do, unless they create the record. */
export const honoursIfMatch = (route: Route): boolean => route.tagged && route.effect === 'write' && !route.creates

/** Returns the refusals that follow from the members of a route, such as `access` and `path`. */
function commonRefusals(route: Route): RefusalCode[] {
  const codes: RefusalCode[] = ['rate_limited', 'database_unavailable', 'overloaded', 'shutting_down', 'internal_error']
  if (route.access === 'guest') codes.push('invalid_guest_link')
  else if (route.access !== 'public')
    codes.push('unauthenticated', 'invalid_token', 'insufficient_scope', 'issuer_unavailable')
  // The server parses a request body even if the route does not use one.
  if (route.method !== 'GET') {
    codes.push(route.bodyMedia === '*/*' ? 'file_too_large' : 'body_too_large', 'unsupported_media_type')
  }
  if (route.linkable) codes.push('invalid_link')
  if (route.path.includes('{')) codes.push('not_found')
  if (honoursIfMatch(route)) codes.push('precondition_failed')
  return codes
}

/** All refusals that a route can return, each once. */
export const refusalsOf = (route: Route): RefusalCode[] => [...new Set([...commonRefusals(route), ...route.refuses])]
