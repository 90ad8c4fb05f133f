// In charge of routes whose request or response body is a file: the file is streamed, and browsers must not execute it.
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
import { etagMatches } from './preconditions.ts'
import { rangeOf } from './ranges.ts'

/** A file to send; `read` is only called if bytes are sent. */
type FileAnswer = {
  /** Equal for equal bytes, different for different bytes. */
  tag: string
  file: Pick<StoredFile, 'size' | 'media_type'>
  read(range?: ByteRange): Promise<Readable>
  /** The URL at which a browser can fetch the file from its store; null if this server has to send the file. */
  linkTo?(headers: LinkHeaders): Promise<string | null>
}

export type BindBytes = {
  /** A route whose body is a file. */
  upload(route: Route, handler: (bytes: Readable, mediaType: string) => Promise<Answer>): void
  /** A route whose response is a file. */
  download<R extends Route>(route: R, handler: (params: ParamsOf<R>) => Promise<FileAnswer>): void
}

export function bytesBinder(server: FastifyInstance, deps: Deps, links: FileLinks): BindBytes {
  const limit = deps.config.fileLimit
  return {
    upload: (route, handler) => {
      const { preParsing, ...rest } = entrance(route, deps)
      const parse = parser({ ...route, body: null }, deps.config)
      // A separate Fastify scope: in it, a body of any type, even JSON, is not parsed and stays a stream.
      server.register(async (scope) => {
        scope.removeAllContentTypeParsers()
        scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
        scope.route<{ Params: Record<string, string>; Body: Readable }>({
          ...rest,
          preParsing: [preParsing, async ({ headers }) => void mediaTypeOf(headers)],
          handler: async (request, reply) => {
            let end = (): void => undefined
            try {
              end = deps.rates.begin('uploads', request.ip, request.actor ?? nobody)
              parse(request)
              if (Number(request.headers['content-length']) > limit) throw fileTooLarge(limit)
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
          // The parser has validated the parameters against the schema that the type is derived from.
          const params = parse(request).params as ParamsOf<typeof route>
          const answer = await handler(params)
          const elsewhere = isShownBy(request) ? await answer.linkTo?.(disposedOf(answer.file)) : null
          return elsewhere ? redirect(reply, elsewhere) : sendFile(request, reply, answer)
        },
      })
    },
  }
}

/**
 * Whether a browser shows or saves the file behind a signed link. For a fetch by a script this server sends the bytes
 * itself: the script may not read responses from another host.
 */
function isShownBy({ method, headers, actor }: Request): boolean {
  const purpose = headers['sec-fetch-dest']
  return (
    actor?.guest === undefined && // links to a store cannot be revoked, so guests get none
    method === 'GET' &&
    headers.authorization === undefined &&
    typeof purpose === 'string' &&
    ['image', 'video', 'audio', 'document'].includes(purpose)
  )
}

/** The URL at the store expires soon, so the browser may cache the redirect only for a shorter time. */
const redirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'private, max-age=240').redirect(address, 307)

/** The signed link in a URL; null if one of its two parameters is missing. */
function signedQuery(url: string): SignedQuery | null {
  const query = new URLSearchParams(url.split('?')[1] ?? '')
  const [expires, signature] = [query.get('expires'), query.get('signature')]
  return expires === null || signature === null ? null : { expires, signature }
}

/** Returns `type/subtype` (RFC 6838) in lower case, without parameters; throws 415 for anything else. */
function mediaTypeOf(headers: IncomingHttpHeaders): string {
  const declared = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  const name = '[a-z0-9][a-z0-9!#$&^_.+-]{0,126}'
  if (!new RegExp(`^${name}/${name}$`).test(declared)) {
    throw unsupported('Send the bytes of the file with their own Content-Type, such as image/png.')
  }
  if (declared === 'multipart/form-data') {
    throw unsupported('Send the bytes of the file as the body, not as a form, with their own Content-Type.')
  }
  const coding = headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (coding !== 'identity') throw unsupported('Send the bytes of the file as they are, without Content-Encoding.')
  return declared
}

const unsupported = (why: string) => new Refusal('unsupported_media_type', why)

/** Sends the whole file, one range of it or a 304. Headers are set last, because a refusal must not carry them. */
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

/** A browser may show images, videos and sound; it has to save all other files, because anyone may have uploaded them. */
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
