// Facts about files over HTTP: which uploads are accepted, how files are served, and that a browser never executes them.
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFiles } from '../../src/platform/open-files.ts'
import { eventually } from '../support/eventually.ts'
import { type Reply, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal, utc } from '../support/make.ts'

const limit = 300_000
const route = '/api/v1/files'

let service: Service
let make: ReturnType<typeof makers>
let port: number
beforeAll(async () => {
  service = await startService({ ATELIER_FILE_LIMIT: String(limit) })
  make = makers(service)
  await service.app.server.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.server.address() as AddressInfo).port // the cast is safe: the server listens on a TCP port
})
afterAll(() => service.close())

const digestOf = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const upload = (raw: string | Buffer, mediaType: string, token?: string): Promise<Reply> =>
  service.ask('POST', route, { raw, headers: { 'content-type': mediaType }, ...(token ? { token } : {}) })
const download = (digest: string, headers: Record<string, string> = {}): Promise<Reply> =>
  service.get(`${route}/${digest}`, { headers })

/** The digests of all files in the store. */
async function stored(): Promise<string[]> {
  const digests: string[] = []
  for await (const { digest } of openFiles(service.config).list()) digests.push(digest)
  return digests
}
/** The uploads in progress: in the file folder, or in the data folder if files are stored in a bucket. */
const arriving = async () => {
  const { files, dataDir } = service.config
  return readdir(path.join(files?.startsWith('s3:') ? dataDir : (files ?? ''), 'incoming'))
}

/** Starts an upload over a socket; the test writes its body later. */
function begin(headers: Record<string, string> = {}): { asked: ClientRequest; answered: Promise<IncomingMessage> } {
  const authorization = `Bearer ${service.owner.token}`
  const asked = request({ port, method: 'POST', path: route, headers: { authorization, ...headers } })
  const answered = new Promise<IncomingMessage>((resolve, reject) => asked.on('response', resolve).on('error', reject))
  return { asked, answered }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return text
}

test('an uploaded file comes back byte for byte, under the digest of its bytes', async () => {
  const bytes = Buffer.from([0, 255, 13, 10, 0, 200, 128])
  const { status, data } = await upload(bytes, 'image/PNG; q=1')
  expect(status).toBe(200)
  expect(data).toEqual({
    digest: digestOf(bytes),
    size: 7,
    media_type: 'image/png',
    created_at: expect.stringMatching(utc),
  })
  const back = await download(data.digest)
  expect([back.status, back.bytes]).toEqual([200, bytes])
  expect(back.headers).toMatchObject({
    'content-type': 'image/png',
    'content-length': '7',
    etag: `"${data.digest}"`,
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
  })
})

test('the same bytes again are the same file, as it was first declared', async () => {
  const first = await upload('twice', 'text/plain')
  const second = await upload('twice', 'text/html')
  expect(second.data).toEqual(first.data)
  expect((await stored()).filter((digest) => digest === first.data.digest)).toHaveLength(1)
  expect(await arriving()).toEqual([])
})

test('the same bytes may arrive many times at once', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => upload('all at once', 'text/plain')))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await download(digestOf('all at once'))).text).toBe('all at once')
  expect(await arriving()).toEqual([])
  expect(await service.rows('select * from loose_files')).toEqual([])
})

test('a JSON file is a file like any other', async () => {
  const { data } = await upload('{"a":', 'application/json')
  const back = await download(data.digest)
  expect([back.headers['content-type'], back.text]).toEqual(['application/json', '{"a":'])
})

test('a file needs the scope to write, and to be read the scope to read', async () => {
  const reader = await service.person('reader')
  const lookup = await service.integration(['creatives:lookup'])
  const digest = await make.file()
  expect(refusal(await upload('x', 'text/plain', reader.token))).toEqual([403, 'insufficient_scope'])
  expect((await service.get(`${route}/${digest}`, { token: reader.token })).status).toBe(200)
  expect(refusal(await service.get(`${route}/${digest}`, { token: lookup.token }))).toEqual([403, 'insufficient_scope'])
  expect(refusal(await service.get(`${route}/${digest}`, { token: null }))).toEqual([401, 'unauthenticated'])
})

test('an empty body is no file', async () => {
  expect(faults(await upload('', 'text/plain'))).toEqual(['value_error body'])
})

test('a query has no place on either route', async () => {
  const digest = await make.file()
  expect(faults(await service.get(`${route}/${digest}?download=1`))).toEqual(['extra_forbidden query.download'])
  expect(
    faults(await service.ask('POST', `${route}?name=a`, { raw: 'x', headers: { 'content-type': 'a/b' } })),
  ).toEqual(['extra_forbidden query.name'])
})

test.for([
  '',
  'text',
  'text/',
  '/plain',
  '*/*',
  'image/*',
  'text/html, image/png',
  'text/<script>',
  'te xt/plain',
  `text/${'a'.repeat(128)}`,
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
])('a body that is declared as "%s" is refused', async (mediaType) => {
  expect(refusal(await upload('x', mediaType))).toEqual([415, 'unsupported_media_type'])
})

test('a body that is not declared, or is encoded, is refused', async () => {
  const undeclared = begin()
  undeclared.asked.end('some bytes')
  expect(JSON.parse(await textOf(await undeclared.answered))).toMatchObject({
    status: 415,
    code: 'unsupported_media_type',
  })
  const zipped = { raw: 'x', headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' } }
  expect(refusal(await service.ask('POST', route, zipped))).toEqual([415, 'unsupported_media_type'])
})

test('a file may be as large as the limit and no larger', async () => {
  const most = Buffer.alloc(limit, 'a')
  const { data } = await upload(most, 'video/mp4')
  expect(data.size).toBe(limit)
  expect((await download(data.digest)).bytes.equals(most)).toBe(true)
  const more = await upload(Buffer.alloc(limit + 1, 'a'), 'video/mp4')
  expect(refusal(more)).toEqual([413, 'file_too_large'])
  expect(more.body.limit).toBe(limit)
})

test('a body of unknown size is refused at the limit, and who sends all of it before reading is told so too', async () => {
  const { asked, answered } = begin({ 'content-type': 'video/mp4' })
  const more = Buffer.alloc(1_000_000) // in total more than the socket buffers can hold
  for (let sent = 0; sent < 30; sent++) asked.write(more)
  await new Promise<void>((resolve) => asked.end(resolve))
  const answer = await answered
  expect([answer.statusCode, JSON.parse(await textOf(answer)).code]).toEqual([413, 'file_too_large'])
  expect(await arriving()).toEqual([])
})

test('an upload that is broken off leaves nothing', async () => {
  const { asked, answered } = begin({ 'content-type': 'video/mp4', 'content-length': '200000' })
  const failed = answered.catch((error: Error) => error.message)
  asked.write(Buffer.alloc(100_000, 'broken off'))
  await eventually(async () => expect(await arriving()).toHaveLength(1))
  asked.destroy()
  expect(await failed).toBe('socket hang up')
  await eventually(async () => expect(await arriving()).toEqual([]))
  expect(await service.rows('select * from loose_files')).toEqual([])
})

test('parts of a file are answered as parts', async () => {
  const digest = await make.file('0123456789')
  const part = async (range: string, headers = {}) => {
    const { status, text, headers: told } = await download(digest, { range, ...headers })
    return [status, text, told['content-range'], told['content-length']]
  }
  expect(await part('bytes=2-5')).toEqual([206, '2345', 'bytes 2-5/10', '4'])
  expect(await part('bytes=7-')).toEqual([206, '789', 'bytes 7-9/10', '3'])
  expect(await part('bytes=-1')).toEqual([206, '9', 'bytes 9-9/10', '1'])
  expect(await part('bytes=0-1,4-5')).toEqual([200, '0123456789', undefined, '10'])
  expect(await part('bytes=2-5', { 'if-range': `"${digest}"` })).toEqual([206, '2345', 'bytes 2-5/10', '4'])
  expect(await part('bytes=2-5', { 'if-range': '"another"' })).toEqual([200, '0123456789', undefined, '10'])
})

test('a range behind the end is refused, and the refusal is not kept', async () => {
  const answer = await download(await make.file('0123456789'), { range: 'bytes=10-' })
  expect(refusal(answer)).toEqual([416, 'range_not_satisfiable'])
  expect(answer.headers['content-range']).toBe('bytes */10')
  expect(answer.headers['cache-control']).toBeUndefined()
})

test('a file that the client has is not sent again', async () => {
  const digest = await make.file()
  for (const known of [`"${digest}"`, `W/"${digest}"`, `"another", "${digest}"`, '*']) {
    const answer = await download(digest, { 'if-none-match': known })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', `"${digest}"`])
  }
  expect((await download(digest, { 'if-none-match': '"another"' })).status).toBe(200)
})

test('HEAD tells what GET would, without the bytes', async () => {
  const digest = await make.file('0123456789', 'text/csv')
  const told = await service.ask('HEAD', `${route}/${digest}`, { headers: { range: 'bytes=0-1' } })
  const { headers } = await download(digest)
  expect([told.status, told.text]).toEqual([200, ''])
  for (const name of ['content-type', 'content-length', 'etag', 'content-security-policy', 'content-disposition']) {
    expect(told.headers[name]).toBe(headers[name])
  }
  expect((await service.ask('HEAD', `${route}/${digestOf('nothing')}`)).status).toBe(404)
})

test.for([
  ['text/html', 'attachment'],
  ['application/xhtml+xml', 'attachment'],
  ['image/svg+xml', 'attachment'],
  ['IMAGE/SVG+XML', 'attachment'],
  ['image/x+xml', 'attachment'],
  ['text/xml', 'attachment'],
  ['text/javascript', 'attachment'],
  ['application/pdf', 'attachment'],
  ['application/octet-stream', 'attachment'],
  ['image/png', 'inline'],
  ['video/mp4', 'inline'],
  ['audio/mpeg', 'inline'],
] as const)('a browser never runs a file: %s is sent as %s', async ([mediaType, disposition]) => {
  const { data } = await upload(`<script>alert("${mediaType}")</script>`, mediaType)
  for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': '*' }]) {
    expect((await download(data.digest, headers)).headers).toMatchObject({
      'content-type': mediaType.toLowerCase(),
      'content-disposition': disposition,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    })
  }
})

test.for([
  '..%2F..%2Fetc%2Fpasswd',
  '..%2f',
  'incoming',
  'a'.repeat(63),
  'a'.repeat(64),
  'A'.repeat(64),
  `${'a'.repeat(62)}%2F`,
  `${'a'.repeat(64)}%0A`,
])('%s is the digest of no file', async (digest) => {
  expect(refusal(await download(digest))).toEqual([404, 'not_found'])
})

test('a digest with NUL in it is no text', async () => {
  expect(faults(await download(`${'a'.repeat(63)}%00`))).toEqual(['value_error path.digest'])
})

test('a file whose bytes are gone or damaged is a 404 that says so, before anything is sent', async () => {
  const [gone, damaged] = [await make.file('about to go'), await make.file('about to be damaged')]
  await openFiles(service.config).remove(gone)
  await service.rows(`update files set size = 5 where digest = $1`, [damaged])
  for (const digest of [gone, damaged]) {
    const answer = await download(digest)
    expect(refusal(answer)).toEqual([404, 'not_found'])
    expect(answer.body.detail).toBe(
      `The bytes of the file ${digest} are gone, though its record is there. Upload the file again.`,
    )
  }
  await upload('about to go', 'text/plain')
  expect((await download(gone)).text).toBe('about to go')
})
