// In charge of typed API calls that use a table of routes. The types come from the contract, but the table contains only what a
// request needs at run time, so that a web page can use the table without loading the schemas.
import type { Static, TSchema } from 'typebox'
import type { CreativeConflict } from '../creatives.ts'
import type { Route } from '../routes/route.ts'
import type { RouteName, routes } from '../routes/routes.ts'
import type { RefusalCode, ValidationError } from './errors.ts'
import { createRepeats, type Repeats } from './repeats.ts'

type Routes = typeof routes

/** The members of a route that are needed to send a request. */
type WireRoute = Pick<Route, 'method' | 'path' | 'framing'> & Partial<Pick<Route, 'idempotent'>>
type WireTable = Readonly<Record<RouteName, WireRoute>>

/** One of the options `params`, `query` and `body`: left out if the route declares no schema, optional if nothing is required. */
type Part<Name extends string, S> = S extends TSchema
  ? TSchema extends S
    ? unknown // the type allows any schema, so the route declares none
    : Record<never, never> extends Static<S>
      ? { [K in Name]?: Static<S> }
      : { [K in Name]: Static<S> }
  : unknown

/** The options of a call: the route's path parameters, query and body, and headers such as `idempotency-key`. */
type CallOptions<N extends RouteName> = Part<'params', Routes[N]['params']> &
  Part<'query', Routes[N]['query']> &
  Part<'body', Routes[N]['body']> & { headers?: Record<string, string>; signal?: AbortSignal }
/** The result of a call: the `data` in the envelope, or the whole body if the route uses no envelope. */
export type CallResult<N extends RouteName> = Results[N]
/** The results of all routes in one type: if they were computed one by one, types would nest too deeply for the compiler. */
type Results = { [N in RouteName]: Static<Routes[N]['data']> }
type Arguments = { [N in RouteName]: Given<CallOptions<N>> }

/** The routes that support `Prefer: return=minimal`. */
export const minimalRoutes = ['startRun', 'answerRun'] as const satisfies readonly RouteName[]
type MinimalName = (typeof minimalRoutes)[number]

type Refused = {
  status: number
  /**
   * `invalid`: the status is 422, and `errors` lists every error. `unknown`: the body has no code, so the response comes from
   * something other than the service, such as a proxy.
   */
  code: RefusalCode | 'invalid' | 'unknown'
  detail: string
  errors?: ValidationError[]
  conflicts?: CreativeConflict[]
}

/** Thrown for every unsuccessful response. Programs decide by `code`; `detail` is a sentence for users. */
export class CallError extends Error {
  readonly status: number
  readonly code: Refused['code']
  readonly detail: string
  readonly errors: readonly ValidationError[]
  /** Of a creative that was to be created there is none: it cannot be renamed, as it does not exist. */
  readonly conflicts: readonly CreativeConflict[]
  constructor({ status, code, detail, errors = [], conflicts = [] }: Refused) {
    super(`${status} ${code}: ${detail}`)
    this.name = 'CallError'
    this.status = status
    this.code = code
    this.detail = detail
    this.errors = errors
    this.conflicts = conflicts.filter(({ creative_id }) => creative_id !== null)
  }
}

export type CallerOptions = {
  table: WireTable
  url: string
  /** The access token, or a function that returns the current token. */
  token: string | (() => Promise<string>)
  fetch?: typeof fetch
  /** Gives writes their Idempotency-Key, unless the call has one. If the same person has several callers, they should share it. */
  repeats?: Repeats
}

/**
 * A record with its revision. `etag`: null if the route has no ETag; otherwise send it as the header `if-match` with a change, so
 * that this change cannot overwrite a concurrent one. `message`: the service's sentence about the result; null if there is none.
 */
export type Tagged<T> = { data: T; etag: string | null; message: string | null }

/** Creates the functions that call the routes in `table` on the service at `url`. */
export function createCaller({ table, url, token, fetch: fetching = fetch, repeats = createRepeats() }: CallerOptions) {
  /** Sends a request and returns the response; throws if the response is not successful. */
  async function answered(name: RouteName, { params = {}, query = {}, body, headers = {}, signal }: Loose) {
    const route = table[name]
    const target = pathOf(route, params) + queryOf(query)
    const sent = body === undefined ? null : JSON.stringify(body)
    const send = async (key: Record<string, string>) => {
      const answer = await fetching(new URL(target, url), {
        method: route.method,
        headers: {
          authorization: `Bearer ${typeof token === 'string' ? token : await token()}`,
          ...(sent === null ? {} : { 'content-type': 'application/json' }),
          ...key,
          ...headers,
        },
        body: sent,
        ...(signal ? { signal } : {}),
      })
      const text = await answer.text()
      if (!answer.ok) throw refused(answer.status, text)
      return { headers: answer.headers, text }
    }
    if (!route.idempotent || headers['idempotency-key'] !== undefined || givesTheSameTwice(name, body)) return send({})
    return underKey(repeats, `${name} ${target} ${sent}`, (key) => send({ 'idempotency-key': key }))
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
    /** Calls a route with `Prefer: return=minimal`, and returns only the path of the record. */
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

/**
 * Whether a request that takes a key needs none, because done twice it gives the same, unless somebody has changed the tasks in
 * between. The answer of a bulk change holds up to a hundred whole tasks, which the service would keep for a day. A bulk move needs
 * its key all the same: repeated without one, it would start the automations of the column once more, which are paid.
 */
const givesTheSameTwice = (name: RouteName, body: unknown): boolean =>
  name === 'bulkPatchTasks' && !Object.hasOwn(Object(Reflect.get(Object(body), 'patch')), 'status')

async function underKey<T>(repeats: Repeats, request: string, send: (key: string) => Promise<T>): Promise<T> {
  const key = repeats.begin(request)
  try {
    return await send(key)
  } catch (error) {
    // After a 4xx, nothing was changed. After anything else, the service may have done it.
    if (!(error instanceof CallError && error.status < 500)) repeats.lost(request, key)
    throw error
  }
}

/** The argument of a call: it may be left out if none of its members is required. */
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

/** Creates the error for an unsuccessful response. */
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
