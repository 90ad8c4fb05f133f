// In charge of typed calls over a table of routes: types come from the contract, while the table at run time has only what
// a request needs. A page can therefore carry a small table, without the schemas.
import type { Static, TSchema } from 'typebox'
import type { CreativeConflict } from '../creatives.ts'
import type { Route } from '../routes/route.ts'
import type { RouteName, routes } from '../routes/routes.ts'
import type { RefusalCode, ValidationError } from './errors.ts'

type Routes = typeof routes

/** The members of a route that a request needs. */
type WireRoute = Pick<Route, 'method' | 'path' | 'framing'>
type WireTable = Readonly<Record<RouteName, WireRoute>>

/** A member of the options: absent where a route has no schema for it, optional where the schema requires nothing. */
type Part<Name extends string, S> = S extends TSchema
  ? TSchema extends S
    ? unknown // the type allows any schema, so the route declares none
    : Record<never, never> extends Static<S>
      ? { [K in Name]?: Static<S> }
      : { [K in Name]: Static<S> }
  : unknown

/** The options of a call: the route's path parameters, query and body; headers such as `idempotency-key`. */
type CallOptions<N extends RouteName> = Part<'params', Routes[N]['params']> &
  Part<'query', Routes[N]['query']> &
  Part<'body', Routes[N]['body']> & { headers?: Record<string, string>; signal?: AbortSignal }
/** The result of a call: the `data` of the envelope, or the body of a route without envelope. */
export type CallResult<N extends RouteName> = Results[N]
/** Computed for all routes together: for each route alone, the types would nest too deeply for the compiler. */
type Results = { [N in RouteName]: Static<Routes[N]['data']> }
type Arguments = { [N in RouteName]: Given<CallOptions<N>> }

/** Routes that support `Prefer: return=minimal`. */
export const minimalRoutes = ['startRun', 'answerRun'] as const satisfies readonly RouteName[]
type MinimalName = (typeof minimalRoutes)[number]

type Refused = {
  status: number
  /**
   * `invalid`: a 422, with every error in `errors`. `unknown`: the response is not from the service, but perhaps from a
   * proxy.
   */
  code: RefusalCode | 'invalid' | 'unknown'
  detail: string
  errors?: ValidationError[]
  conflicts?: CreativeConflict[]
}

/** Thrown for every unsuccessful response. Switch on `code`; `detail` is a sentence for people. */
export class CallError extends Error {
  readonly status: number
  readonly code: Refused['code']
  readonly detail: string
  readonly errors: readonly ValidationError[]
  readonly conflicts: readonly CreativeConflict[]
  constructor({ status, code, detail, errors = [], conflicts = [] }: Refused) {
    super(`${status} ${code}: ${detail}`)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.conflicts = conflicts
  }
}

type CallerOptions = {
  table: WireTable
  url: string
  /** The token, or a function that returns the present one. */
  token: string | (() => Promise<string>)
  fetch?: typeof fetch
}

/**
 * A response with its revision; send `etag` as `if-match` so that no concurrent change is overwritten. `message` is the
 * service's sentence about the result.
 */
export type Tagged<T> = { data: T; etag: string | null; message: string | null }

/** Creates a caller for the routes of a table at `url`. */
export function createCaller({ table, url, token, fetch: send = fetch }: CallerOptions) {
  /** The response of a route, if it is a success. */
  async function answered(name: RouteName, { params = {}, query = {}, body, headers = {}, signal }: Loose) {
    const route = table[name]
    const answer = await send(new URL(pathOf(route, params) + queryOf(query), url), {
      method: route.method,
      headers: {
        authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
    const text = await answer.text()
    if (!answer.ok) throw refused(answer.status, text)
    return { headers: answer.headers, text }
  }
  async function callTagged<N extends RouteName>(name: N, ...[options]: Arguments[N]): Promise<Tagged<CallResult<N>>> {
    const { headers, text } = await answered(name, options ?? {})
    const parsed = text === '' ? null : JSON.parse(text)
    const etag = headers.get('etag')
    if (table[name].framing !== 'envelope' || parsed === null) return { data: parsed, etag, message: null }
    return { data: parsed.data, etag, message: parsed.message ?? null }
  }
  return {
    callTagged,
    /** Calls a route that supports `Prefer: return=minimal`, and returns only the path of the record. */
    async callMinimal<N extends MinimalName>(name: N, ...[options]: Arguments[N]): Promise<{ location: string }> {
      const given: Loose = options ?? {}
      const { headers } = await answered(name, { ...given, headers: { ...given.headers, prefer: 'return=minimal' } })
      return { location: headers.get('location') ?? '' }
    },
    async call<N extends RouteName>(name: N, ...options: Arguments[N]): Promise<CallResult<N>> {
      return (await callTagged(name, ...options)).data
    },
  }
}

export type Caller = ReturnType<typeof createCaller>
/** Options may be left out where none is required. */
type Given<Options> = Record<never, never> extends Options ? [options?: Options] : [options: Options]
type Loose = {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

const pathOf = (route: WireRoute, params: Record<string, unknown>): string =>
  route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))

function queryOf(query: Record<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return search.size === 0 ? '' : `?${search}`
}

/** Turns an unsuccessful response into an error. */
export function refused(status: number, text: string): CallError {
  const told = parsed(text)
  if (status === 422 && Array.isArray(told?.detail)) {
    const errors: ValidationError[] = told.detail
    return new CallError({ status, code: 'invalid', detail: errors.map(wordsOf).join('; '), errors })
  }
  if (typeof told?.code !== 'string') return new CallError({ status, code: 'unknown', detail: text.slice(0, 200) })
  return new CallError({ ...told, status })
}

const wordsOf = ({ loc, msg }: ValidationError): string => `${loc.join('.')}: ${msg}`

function parsed(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
