// In charge of routes with a file as the request or response body. The file is streamed, and browsers must not execute it.
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { StoredFile } from '@atelier/contract/files.ts'
import type { ParamsOf, Route } from '@atelier/contract/routes/route.ts'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type ByteRange, fileTooLarge, type LinkHeaders } from '../byte-store.ts'
import type { FileLinks, SignedQuery } from '../file-links.ts'
import { type Answer, envelopeText } from './answer.ts'
import { type Deps, entrance, nobody, parser, type Request } from './bind.ts'
import { isEncoded } from './content-coding.ts'
import { etagMatches } from './preconditions.ts'
import { rangeOf } from './ranges.ts'
import { beginWork } from './silence.ts'

/** A file to send; `read` is called only if the response contains bytes of the file. */
type FileAnswer = {
  /** A text that is equal for equal bytes and different for different bytes. */
  tag: string
  file: Pick<StoredFile, 'size' | 'media_type'>
  read(range?: ByteRange): Promise<Readable>
  /** Returns a URL at which a browser can fetch the file from its store; null if this server has to send the file. */
  linkTo?(headers: LinkHeaders): Promise<string | null>
}

export type BindBytes = {
  /** Adds a route with a file as the request body. */
  upload(route: Route, handler: (bytes: Readable, mediaType: string) => Promise<Answer>): void
  /** Adds a route with a file as the response body. */
  download<R extends Route>(route: R, handler: (params: ParamsOf<R>) => Promise<FileAnswer>): void
}

export function bytesBinder(server: FastifyInstance, deps: Deps, links: FileLinks): BindBytes {
  const limit = deps.config.fileLimit
  return {
    upload: (route, handler) => {
      const { preParsing, ...rest } = entrance(route, deps)
      const parse = parser({ ...route, body: null }, deps.config)
      // This is a separate Fastify scope, because here a body of any type, even JSON, must stay a stream and must not be parsed.
      server.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
        scope.route<{ Params: Record<string, string>; Body: Readable }>({
          ...rest,
          config: { ...rest.config, streamedBytes: limit },
          preParsing: [preParsing, async ({ headers }) => void mediaTypeOf(headers)],
          handler: async (request, reply) => {
            let end = (): void => undefined
            try {
              end = deps.rates.begin('uploads', request.ip, request.actor ?? nobody)
              parse(request)
              if (Number(request.headers['content-length']) > limit) throw fileTooLarge(limit)
              request.raw.once('end', () => beginWork(reply.raw))
              const answer = await handler(request.body, mediaTypeOf(request.headers))
              return reply.status(route.status).type('application/json; charset=utf-8').send(envelopeText(answer))
            } catch (error) {
              // The rest of the body is read and dropped: many clients read no response before they have sent everything.
              request.raw.resume()
              throw error
            } finally {
              end()
            }
          },
        })
      })
    },
    download: (route, handler) => {
      const parse = parser(route, deps.config)
      const { preParsing, ...rest } = entrance(route, deps)
      server.route<{ Params: Record<string, string> }>({
        ...rest,
        method: ['GET', 'HEAD'],
        preParsing: async (request) => {
          const link = request.headers.authorization === undefined ? signedQuery(request.url) : null
          if (link === null || !route.linkable) return preParsing(request)
          request.actor = await links.authenticate(request.params.digest ?? '', link)
          deps.rates.known(request.ip, request.actor)
        },
        handler: async (request, reply) => {
          // The parser has validated the parameters against the schema from which this type is derived.
          const params = parse(request).params as ParamsOf<typeof route>
          const answer = await handler(params)
          // Whoever has a signed link may show the file on a page of their own. The link itself is the permission, so this gives a
          // page nothing that it could not have without a browser.
          if (request.headers.authorization === undefined) reply.header('cross-origin-resource-policy', 'cross-origin')
          const elsewhere = isShownBy(request) ? await answer.linkTo?.(disposedOf(answer.file)) : null
          return elsewhere ? redirect(reply, elsewhere) : sendFile(request, reply, answer)
        },
      })
    },
  }
}

/**
 * Whether a browser follows a signed link to show or save the file. Then the store itself can send the bytes. If a script fetches
 * the file, this server sends the bytes, because the browser does not let a script read responses from another host.
 */
function isShownBy({ method, headers, actor }: Request): boolean {
  const purpose = headers['sec-fetch-dest']
  return (
    actor?.guest === undefined && // a link to the store cannot be revoked, so a guest gets none
    method === 'GET' &&
    headers.authorization === undefined &&
    typeof purpose === 'string' &&
    ['image', 'video', 'audio', 'document'].includes(purpose)
  )
}

/** The URL at the store expires after 300 s, so the browser may cache the redirect for 240 s only. */
const redirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'private, max-age=240').redirect(address, 307)

/** Returns the parameters of a signed link in a URL; null if one of the two is missing. */
function signedQuery(url: string): SignedQuery | null {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const [expires, signature] = [query.get('expires'), query.get('signature')]
  return expires === null || signature === null ? null : { expires, signature }
}

/** Returns `type/subtype` (RFC 6838) in lower case, without parameters; throws a 415 for a form, an encoded body or no type. */
function mediaTypeOf(headers: IncomingHttpHeaders): string {
  const declared = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const name = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}'
  if (!new RegExp(`^${name}/${name}$`).test(declared)) {
    throw unsupported('Send the bytes of the file with their own Content-Type, such as image/png.')
  }
  // Some clients, such as curl, declare a form if nothing else is said; the file would keep that type for good.
  if (declared === 'multipart/form-data' || declared === 'application/x-www-form-urlencoded') {
    throw unsupported('Send the bytes of the file as the body, not as a form, with their own Content-Type.')
  }
  if (isEncoded(headers))
    throw unsupported(
      'Send the bytes of the file as they are, without Content-Encoding, and no Transfer-Encoding but chunked.',
    )
  return declared
}

const unsupported = (why: string) => new Refusal('unsupported_media_type', why)

/** Sends the whole file, one range of it, or a 304. The file's headers are set last, because a refusal must not contain them. */
async function sendFile(request: Request, reply: FastifyReply, { tag, file, read }: FileAnswer): Promise<FastifyReply> {
  const etag = `"${tag}"`
  const { range: asked, 'if-none-match': known, 'if-range': condition } = request.headers
  if (etagMatches(known, etag)) return reply.headers(fileHeaders(file, etag)).status(304).send()
  if (request.method === 'HEAD') {
    return reply.headers({ ...fileHeaders(file, etag), 'content-length': file.size }).send()
  }
  const range = condition === undefined || condition === etag ? rangeOf(asked, file.size) : null
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`)
    throw new Refusal(
      'range_not_satisfiable',
      `The file has ${file.size} bytes; the range asked for begins after them.`,
    )
  }
  const { start, end } = range ?? { start: 0, end: file.size - 1 }
  const bytes = await read({ start, end })
  if (range) reply.status(206).header('content-range', `bytes ${start}-${end}/${file.size}`)
  return reply.headers({ ...fileHeaders(file, etag), 'content-length': end - start + 1 }).send(bytes)
}

/** Lets a browser show images, videos and sound. A browser must save any other file, because the file may come from an attacker. */
function disposedOf({ media_type }: Pick<StoredFile, 'media_type'>): LinkHeaders {
  const isMedia = /^(?:image|video|audio)\//.test(media_type) && !/[/+]xml$|^image\/svg/.test(media_type)
  return { mediaType: media_type, disposition: isMedia ? 'inline' : 'attachment' }
}

function fileHeaders(file: Pick<StoredFile, 'media_type'>, etag: string): Record<string, string> {
  const { mediaType, disposition } = disposedOf(file)
  return {
    etag,
    'content-type': mediaType,
    'content-disposition': disposition,
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
  }
}
