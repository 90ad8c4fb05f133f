// In charge of `GET /events`, which sends server-sent events to a watcher as long as the watcher's token is valid. A stream ends when
// its token expires, and at once when the token or its person loses access in any process.
import { AsyncLocalStorage } from 'node:async_hooks'
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
  const open = new Map<() => void, () => Promise<void>>()
  // One stream after the other: the checks of all of them at once would keep every connection of the database from requests.
  const checkAll = oneAtATime(async () => {
    for (const check of open.values()) await check()
  })
  const unlisten = deps.auth.onChange(checkAll)
  // The streams are ended before the server waits for requests in progress, because a stream would never end by itself.
  server.addHook('preClose', async () => {
    unlisten()
    for (const end of open.keys()) end()
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
      let expiry: NodeJS.Timeout | undefined
      const check = async (): Promise<void> => {
        const lastsMs = await deps.auth.lastsMs(request.headers.authorization).catch(() => 0)
        if (lastsMs <= 0) return end()
        clearTimeout(expiry)
        // If the token lasts longer, the next of the regular checks comes first.
        if (lastsMs <= aliveMs && open.has(end)) expiry = setTimeout(() => end(), lastsMs).unref()
      }
      const alive = setInterval(async () => {
        await check()
        if (open.has(end)) send(': alive\n\n')
      }, aliveMs).unref()
      const end = (isOverrun = false): void => {
        if (!open.delete(end)) return
        gone({ isOverrun })
        clearInterval(alive)
        clearTimeout(expiry)
        unwatch()
        over()
        socket.end()
      }
      open.set(end, check)
      socket.on('close', () => end())
      // Ends the stream if the client disconnected before the listener for `close` was added.
      if (socket.destroyed) end()
      send('retry: 2000\n: watching\n\n')
      // The token may have lost its access since it was checked, before this stream could be told.
      void check()
    },
  })
}

/**
 * Returns a function that does the work, never twice at a time: a call while it is done has it done once more. It is done outside
 * the transaction or request from which the function is called.
 */
function oneAtATime(work: () => Promise<void>): () => void {
  let asked = 0
  const doWork = AsyncLocalStorage.bind(async (): Promise<void> => {
    for (let done = 0; done !== asked; ) {
      done = asked
      await work()
    }
    asked = 0
  })
  return () => {
    asked++
    if (asked === 1) void doWork()
  }
}
