// In charge of which methods there are at a path, for whoever came with another one.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

export type Methods = {
  /** Why a request has no route: 405 where its path exists under other methods, 404 elsewhere. */
  refusal(request: FastifyRequest, reply: FastifyReply): Refusal
  /** Throws where another route is the path word for word: whatever takes the id of a task is not meant by `/tasks/deleted`. */
  requireOwn(request: FastifyRequest, reply: FastifyReply): void
}

/** Keeps the routes that are put on a server from now on. */
export function watchRoutes(server: FastifyInstance): Methods {
  const methods = new Map<string, Set<string>>()
  server.addHook('onRoute', ({ method, url }) => {
    const known = methods.get(url) ?? new Set()
    methods.set(url, known)
    for (const one of [method].flat()) {
      known.add(one)
      if (one === 'GET') known.add('HEAD')
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

/** Whether a path is one of a route's: `:name` stands for a segment, `*` for all that is left. */
function matches(url: string, path: string): boolean {
  const [asked, given] = [url.split('/'), path.split('/')]
  const fits = asked.every(
    (part, at) => part === '*' || part === given[at] || (part.startsWith(':') && given[at] !== ''),
  )
  return fits && (asked.at(-1) === '*' ? given.length >= asked.length : given.length === asked.length)
}

/** As the router ranks them: of two that match, the one whose first differing segment is literal, then the one where it is a name. */
function byRank(one: string, other: string): number {
  const rank = (url: string) =>
    url
      .split('/')
      .map((part) => (part === '*' ? 2 : part.startsWith(':') ? 1 : 0))
      .join('')
  return rank(one).localeCompare(rank(other))
}
