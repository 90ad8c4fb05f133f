// In charge of serving the web app's built files, which are in memory and compressed, and its page at every address of the app.
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { outsideRoutes } from '@atelier/contract/routes/outside-routes.ts'
import { pageFile, webPaths } from '@atelier/contract/wire/web-paths.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagMatches } from './preconditions.ts'

type WebFile = {
  type: string
  etag: string
  bytes: Buffer
  br: Buffer | null
  gzip: Buffer | null
  /** The Content-Security-Policy for a page: what the page may load. */
  policy: string
}
/** The app's files by path, such as `/assets/index-1a2b.js`. */
export type Web = ReadonlyMap<string, WebFile>

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

/**
 * Reads the built app from a folder; returns null if the app has not been built. The app takes only a few megabytes, so all of it
 * is kept in memory. `store` is the origin of the object store from which browsers load uploaded files; null: from this service.
 */
export function readWeb(folder: string, store: string | null = null): Web | null {
  if (!existsSync(path.join(folder, 'index.html'))) return null
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const policy = pagePolicy(store)
  return new Map(
    files.flatMap((file) => {
      const type = types[path.extname(file)]
      return type ? [[`/${file.replaceAll(path.sep, '/')}`, { ...readOne(path.join(folder, file), type), policy }]] : []
    }),
  )
}

function readOne(file: string, type: string): Omit<WebFile, 'policy'> {
  const bytes = readFileSync(file)
  const beside = (ending: string) => (existsSync(file + ending) ? readFileSync(file + ending) : null)
  const etag = `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
  return { type, etag, bytes, br: beside('.br'), gzip: beside('.gz') }
}

/** The page may run scripts of this server only and call this server only. Inline styles are allowed: components use them. */
const pagePolicy = (store: string | null): string => {
  const files = store === null ? "'self'" : `'self' ${store}`
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self'",
    `img-src ${files} blob: data:`,
    `media-src ${files} blob:`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Adds the app's routes to the server. If the app has not been built, `/` redirects to the documentation. */
export function bindWeb(server: FastifyInstance, web: Web | null): void {
  const page = web?.get('/index.html')
  if (!web || !page) {
    server.get('/', { config: { routeId: 'home' } }, async (_request, reply) => reply.redirect(outsideRoutes.docs.path))
    return
  }
  for (const url of webPaths) {
    server.get(url, { config: { routeId: 'web' } }, async (request, reply) =>
      sendPage(request, reply, web.get(pageFile(url)) ?? page),
    )
  }
  for (const [url, file] of web) {
    if (url.endsWith('.html')) continue
    // The names of files under /assets contain a hash of the content, so the content of such a file never changes.
    const kept = url.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600'
    server.get(url, { config: { routeId: 'web' } }, async (request, reply) => {
      reply.header('cache-control', kept)
      return send(request, reply, file)
    })
  }
}

/** Sends a page with links to a person who opened an unknown address in a browser; returns null for other clients. */
export function lostPage(web: Web | null, request: FastifyRequest, reply: FastifyReply): FastifyReply | null {
  const page = web?.get('/index.html')
  const { method, url, headers } = request
  const isPage = /^\/(?!api\/)[^.?]*(?:\?|$)/.test(url) && /\btext\/html\b/.test(headers.accept ?? '')
  return page && method === 'GET' && isPage ? sendPage(request, reply.status(404), page) : null
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: WebFile): FastifyReply {
  reply.headers({ 'content-security-policy': page.policy, 'cache-control': 'no-cache' })
  return send(request, reply, page)
}

function send(request: FastifyRequest, reply: FastifyReply, file: WebFile): FastifyReply {
  // The tag is weak, because it is the same for all encodings of the file.
  reply.headers({ etag: `W/${file.etag}`, vary: 'accept-encoding' })
  if (etagMatches(request.headers['if-none-match'], file.etag)) return reply.status(304).send()
  const takes = encodings(request.headers['accept-encoding'])
  reply.type(file.type)
  if (file.br && takes.has('br')) return reply.header('content-encoding', 'br').send(file.br)
  if (file.gzip && takes.has('gzip')) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.bytes)
}

/** Returns the encodings that a client accepts, without those that the client refuses with a quality of zero. */
function encodings(header: string | string[] | undefined): Set<string> {
  const listed = String(header ?? '').split(',')
  return new Set(
    listed.filter((entry) => !/;\s*q=0(?:\.0*)?\s*$/.test(entry)).map((entry) => entry.split(';', 1)[0]?.trim() ?? ''),
  )
}
