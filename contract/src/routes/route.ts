// In charge of what a route is: one value from which server, validator, OpenAPI and clients are derived.
import type { Static, TSchema } from 'typebox'
import type { Scope } from '../enums.ts'
import type { RefusalCode } from '../wire/errors.ts'

/** How a response is framed: in the envelope, as JSON without it, as a file's bytes, as events, or without a body. */
type Framing = 'envelope' | 'bare' | 'file' | 'events' | 'empty'

export type Route<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Data extends TSchema = TSchema,
> = {
  id: string
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** OpenAPI path: parameters in braces. */
  path: string
  tag: string
  summary: string
  description: string
  /** The scope a caller needs; `guest` for people who use a guest link; or `public`. */
  access: Scope | 'guest' | 'public'
  /** A `write` runs in one transaction, which is retried on deadlock; a `read` runs without a transaction. */
  effect: 'read' | 'write'
  params: Params
  query: Query
  body: Body | null
  /** The declared type of a body: JSON, or the bytes of a file of any type. */
  bodyMedia: 'application/json' | '*/*'
  /** The most bytes of a body, where that differs from the server's general limit; null otherwise. */
  bodyBytes: number | null
  /** Whether the body may be absent or null. */
  bodyOptional: boolean
  status: 200 | 201 | 204
  framing: Framing
  data: Data
  /** Refusals beyond those that every route of its kind can return. */
  refuses: readonly RefusalCode[]
  /** Accepts an Idempotency-Key. */
  idempotent: boolean
  /** Returns an ETag; a write then honours If-Match, unless it creates the record. */
  tagged: boolean
  /** Creates the record it returns. */
  creates: boolean
  /** Accepts `Prefer: return=minimal` (RFC 7240): returns 204 and the record's location instead of a large record. */
  minimal: boolean
  /** Accepts a signed link in the query instead of a token. */
  linkable: boolean
  examples: { body?: unknown; data?: unknown }
}

export type ParamsOf<R extends Route> = Static<R['params']>
export type QueryOf<R extends Route> = Static<R['query']>
export type BodyOf<R extends Route> = R['body'] extends TSchema ? Static<R['body']> : undefined

/** Whether a route honours If-Match: writes of records with a revision do, except those that create a record. */
export const honoursIfMatch = (route: Route): boolean => route.tagged && route.effect === 'write' && !route.creates

/** Refusals that every route with these properties can return. */
function commonRefusals(route: Route): RefusalCode[] {
  const codes: RefusalCode[] = ['rate_limited', 'database_unavailable', 'overloaded', 'shutting_down', 'internal_error']
  if (route.access === 'guest') codes.push('invalid_guest_link')
  else if (route.access !== 'public')
    codes.push('unauthenticated', 'invalid_token', 'insufficient_scope', 'issuer_unavailable')
  // The server parses a body even where the route takes none.
  if (route.method !== 'GET') {
    codes.push(route.bodyMedia === '*/*' ? 'file_too_large' : 'body_too_large', 'unsupported_media_type')
  }
  if (route.linkable) codes.push('invalid_link')
  if (route.path.includes('{')) codes.push('not_found')
  if (honoursIfMatch(route)) codes.push('precondition_failed')
  return codes
}

/** Every refusal a route can return. */
export const refusalsOf = (route: Route): RefusalCode[] => [...new Set([...commonRefusals(route), ...route.refuses])]
