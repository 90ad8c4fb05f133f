// In charge of `GET /events`, which sends server-sent events to a watcher as long as the watcher's token is valid.
import type { QueryOf } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import { type Change, eventOf } from '@atelier/contract/wire/events.ts'
import type { FastifyInstance } from 'fastify'
import type { Changes } from '../changes.ts'
import { countStream } from '../counts.ts'
import { type Deps, entrance, nobody, parser, type Request } from './bind.ts'

const eventStream = 'text/event-stream; charset=utf-8'
const aliveMs = 15_000
/** A watcher that leaves more bytes than this unread is disconnected; the watcher then connects again and reloads what it shows. */
const unreadLimit = 256 * 1024

export function bindEvents(server: FastifyInstance, deps: Deps, changes: Changes): void {
  const parse = parser(routes.events, deps.config)
  const open = new Set<() => void>()
  // The streams are ended before the server waits for requests in progress, because a stream would never end by itself.
  server.addHook('preClose', async () => {
    for (const end of open) end()
  })

  server.route<{ Params: Record<string, string> }>({
    ...entrance(routes.events, deps),
    handler: async (request: Request, reply) => {
      const { query } = parse(request)
      // A HEAD request gets the headers only; no stream is opened for it, and no watcher is added.
      if (request.method === 'HEAD') return reply.type(eventStream).header('cache-control', 'no-store').send()
      const over = deps.rates.begin('event streams', request.ip, request.actor ?? nobody)
      const gone = countStream()
      reply.hijack()
      const socket = reply.raw
      socket.writeHead(200, {
        ...Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)),
        'content-type': eventStream,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
        // The connection is closed together with its stream, because a connection that is kept alive would delay the server's end.
        connection: 'close',
      })
      const send = (text: string): void => {
        if (socket.writableLength > unreadLimit) end(true)
        else socket.write(text)
      }
      const event = (name: string, data: unknown): void => send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      const { age_ms } = query as QueryOf<typeof routes.events> // the parser has validated the query against this schema
      const unwatch = changes.watch(
        {
          changed: (told: readonly Change[]) => {
            for (const [name, changes] of Map.groupBy(told, ({ kind }) => eventOf(kind))) event(name, { changes })
          },
          missed: () => event('missed', {}),
        },
        age_ms,
      )
      const alive = setInterval(() => {
        deps.auth.authenticate(request.headers.authorization).then(
          () => send(': alive\n\n'),
          () => end(),
        )
      }, aliveMs).unref()
      const end = (isOverrun = false): void => {
        if (!open.delete(end)) return
        gone({ isOverrun })
        clearInterval(alive)
        unwatch()
        over()
        socket.end()
      }
      open.add(end)
      socket.on('close', () => end())
      // Ends the stream if the client disconnected before the listener for `close` was added.
      if (socket.destroyed) end()
      send('retry: 2000\n: watching\n\n')
    },
  })
}
