// In charge of the HTTP methods that exist at a path; a request with another method gets a 405 that lists them.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type Methods = {
  /** Returns the refusal for a request that matches no route: 405 if the path exists with other methods, otherwise 404. */
  refusal(request: FastifyRequest, reply: FastifyReply): Refusal
  /** Throws a 405 if another route has exactly this path: `PATCH /tasks/deleted` must not be handled by the route `/tasks/:id`. */
  requireOwn(request: FastifyRequest, reply: FastifyReply): void
}

/** Records every route that is added to the server after this call. */
export function watchRoutes(server: FastifyInstance): Methods {
  const methods = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url, exposeHeadRoute }) => {
    // Fastify adds a HEAD route to each GET route, unless the route says otherwise. Of a GET route at two addresses (`/docs` and
    // `/docs/`), it reports the first alone, but the HEAD routes of both: the second address would seem to take nothing but HEAD.
    if (method === 'HEAD') return
    const known = methods.get(url) ?? new Set()
    methods.set(url, known)
    for (const one of [method].flat()) {
      known.add(one)
      if (one === 'GET' && exposeHeadRoute !== false) known.add('HEAD')
    }
  })
  const refusal = (request: FastifyRequest, reply: FastifyReply): Refusal => {
    const path = pathOf(request)
    const [nearest = ''] = [...methods.keys()].filter((url) => matches(url, path)).toSorted(byRank)
    const there = [...(methods.get(nearest) ?? [])].toSorted().join(', ')
    if (there === '') {
      return new Refusal('route_not_found', `There is no ${request.method} ${path}. GET /docs lists what there is.`)
    }
    reply.header('allow', there)
    return new Refusal('method_not_allowed', `${path} takes ${there}.`)
  }
  return {
    refusal,
    requireOwn: (request, reply) => {
      if (request.is404) return
      const path = pathOf(request)
      if (path !== request.routeOptions.url && methods.has(path)) throw refusal(request, reply)
    },
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? ''

/** Whether a path matches the URL pattern of a route: `:name` matches one segment, `*` matches all remaining segments. */
function matches(url: string, path: string): boolean {
  const [asked, given] = [url.split('/'), path.split('/')]
  const fits = asked.every(
    (part, at) => part === '*' || part === given[at] || (part.startsWith(':') && given[at] !== ''),
  )
  return fits && (asked.at(-1) === '*' ? given.length >= asked.length : given.length === asked.length)
}

/** Orders URL patterns as the router does: at the first segment that differs, fixed text is first, then a parameter, then `*`. */
function byRank(one: string, other: string): number {
  const rank = (url: string) =>
    url
      .split('/')
      .map((part) => (part === '*' ? 2 : part.startsWith(':') ? 1 : 0))
      .join('')
  return rank(one).localeCompare(rank(other))
}
