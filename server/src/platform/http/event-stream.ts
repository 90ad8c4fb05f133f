// In charge of `GET /events`: server-sent events to each watcher, for as long as its token is good.
import { routes } from '@atelier/contract/routes/routes.ts'
import type { Change } from '@atelier/contract/wire/events.ts'
import type { FastifyInstance } from 'fastify'
import type { Changes } from '../changes.ts'
import { countStream } from '../counts.ts'
import { type Deps, entrance, nobody, parser, type Request } from './bind.ts'

const eventStream = 'text/event-stream; charset=utf-8'
const aliveMs = 15_000
/** A watcher that does not read what it is sent is hung up on: it comes back, and reads again what it shows. */
const unreadLimit = 256 * 1024

export function bindEvents(server: FastifyInstance, deps: Deps, changes: Changes): void {
  const parse = parser(routes.events, deps.config)
  const open = new Set<() => void>()
  // Before the server waits for the requests under way: these would never end.
  server.addHook('preClose', async () => {
    for (const end of open) end()
  })

  server.route<{ Params: Record<string, string> }>({
    ...entrance(routes.events, deps),
    handler: async (request: Request, reply) => {
      parse(request)
      // Without a body there is nothing to wait for, and nobody who is told.
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
        // A stream that ends takes its connection along: kept alive, it would hold up a process that stops.
        connection: 'close',
      })
      const send = (text: string): void => {
        if (socket.writableLength > unreadLimit) end(true)
        else socket.write(text)
      }
      const event = (name: string, data: unknown): void => send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
      const unwatch = changes.watch({
        changed: (told: readonly Change[]) => event('changed', { changes: told }),
        missed: () => event('missed', {}),
      })
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
      // Gone before it was listened to.
      if (socket.destroyed) end()
      send('retry: 2000\n: watching\n\n')
    },
  })
}
