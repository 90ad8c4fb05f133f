// Facts about files in a bucket of a real S3 server: what every file store must do, what holds over HTTP, and what only buckets do.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { CreateBucketCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/platform/config.ts'
import { fileFolder } from '../../src/platform/file-folder.ts'
import { openFiles, originOfLinks } from '../../src/platform/open-files.ts'
import { byteStoreFacts, store } from '../support/byte-store-facts.ts'
import { type S3Server, startS3 } from '../support/ceph.ts'
import { startChild } from '../support/child.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'

let server: S3Server
let folder: string
const before = { ...process.env }
beforeAll(async () => {
  server = await startS3()
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-s3-'))
  Object.assign(process.env, server.settings, { ATELIER_TEST_FILES: 's3://files/of/http' })
  await new S3Client({ forcePathStyle: true }).send(new CreateBucketCommand({ Bucket: 'files' }))
})
afterAll(async () => {
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  await server.remove()
  await rm(folder, { recursive: true })
})

const settingsOf = (files: string, more: Record<string, string> = {}) =>
  readConfig({ ATELIER_FILES: files, ATELIER_DATA_DIR: folder, ...more })
const bucket = (prefix: string, more: Record<string, string> = {}) =>
  openFiles(settingsOf(`s3://files/${prefix}`, more))
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

describe('a bucket is a store like any other', () => {
  byteStoreFacts(() => bucket('facts'))
})
describe('files over HTTP', async () => {
  await import('../http/files.test.ts')
})

test('a large file goes in parts, comes back whole and in ranges, and leaves no part behind', async () => {
  const bytes = Buffer.alloc(36 * 1024 * 1024, 'a line of a large file\n')
  const files = bucket('large')
  const incoming = await files.receive(Readable.from([bytes]), bytes.length)
  await incoming.send()
  await incoming.place()
  await incoming.discard()
  expect(sha256(await buffer(await files.read(incoming.digest, bytes.length)))).toBe(incoming.digest)
  const seam = { start: 16 * 1024 * 1024 - 5, end: 16 * 1024 * 1024 + 5 }
  expect(await buffer(await files.read(incoming.digest, bytes.length, seam))).toEqual(
    bytes.subarray(seam.start, seam.end + 1),
  )
  expect(await readdir(path.join(folder, 'incoming'))).toEqual([])
  const uploads = await new S3Client({ forcePathStyle: true }).send(
    new ListMultipartUploadsCommand({ Bucket: 'files' }),
  )
  expect(uploads.Uploads ?? []).toEqual([])
})

test('bytes that change on their way to the store are refused by it', async () => {
  const there = new URL(process.env.AWS_ENDPOINT_URL ?? '')
  // A proxy that changes one word, as a faulty network could.
  const sockets: Socket[] = []
  const proxy = createServer((from) => {
    const to = connect(Number(there.port), there.hostname)
    const flip = new Transform({
      transform: (chunk: Buffer, _encoding, done) =>
        done(null, Buffer.from(chunk.toString('latin1').replace('wire', 'wild'), 'latin1')),
    })
    from.pipe(flip).pipe(to).pipe(from)
    sockets.push(from, to)
    for (const socket of [from, to]) socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  process.env.AWS_ENDPOINT_URL = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  try {
    await expect(store(bucket('proxied'), 'over a broken wire')).rejects.toThrow('Files cannot be written')
    const untouched = await store(bucket('proxied'), 'over a sound line')
    expect(await text(await bucket('proxied').read(untouched, 17))).toBe('over a sound line')
  } finally {
    process.env.AWS_ENDPOINT_URL = there.href
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => proxy.close(resolve))
  }
})

test('while the store is away files are a 503, all else goes on, and once it is back so are they', async () => {
  const service: Service = await startService({ ATELIER_FILES: 's3://files/away' })
  const digest = await makers(service).file('kept through the outage')
  await server.stop()
  const upload = () =>
    service.ask('POST', '/api/v1/files', { raw: 'during', headers: { 'content-type': 'text/plain' } })
  expect(refusal(await upload())).toEqual([503, 'files_unavailable'])
  expect(refusal(await service.get(`/api/v1/files/${digest}`))).toEqual([503, 'files_unavailable'])
  expect((await service.get('/api/v1/tasks/board')).status).toBe(200)
  await server.start()
  expect((await service.get(`/api/v1/files/${digest}`)).text).toBe('kept through the outage')
  expect((await upload()).status).toBe(200)
  await service.close()
})

test('a store that cannot be used is refused at the start, in a sentence that says why', async () => {
  const refused = (address: string) => openFiles(settingsOf(address)).prepare()
  await expect(refused('s3://nowhere')).rejects.toThrow('there is no such bucket')
  const { AWS_SECRET_ACCESS_KEY: secret, AWS_ENDPOINT_URL: endpoint } = process.env
  process.env.AWS_SECRET_ACCESS_KEY = 'another'
  await expect(refused('s3://files')).rejects.toThrow('refuses these credentials')
  process.env.AWS_SECRET_ACCESS_KEY = secret
  process.env.AWS_ENDPOINT_URL = 'http://127.0.0.1:9'
  await expect(refused('s3://files')).rejects.toThrow('did not answer as S3 does')
  process.env.AWS_ENDPOINT_URL = endpoint
})

test('where the store hands out links, browsers that show a file are led there; scripts and clients are not', async () => {
  const service = await startService({ ATELIER_FILES: 's3://files/linked', ATELIER_FILE_LINKS: 'store' })
  const digest = await makers(service).file('<b>shown</b>', 'text/html')
  const { url } = (await service.post('/api/v1/files/links', { digests: [digest] })).data[0]
  const ask = (purpose?: string) =>
    service.app.server.inject({ url, headers: purpose ? { 'sec-fetch-dest': purpose } : {} })
  for (const purpose of [undefined, 'empty']) expect((await ask(purpose)).payload).toBe('<b>shown</b>')
  const led = await ask('image')
  expect([led.statusCode, led.headers['cache-control']]).toEqual([307, 'private, max-age=240'])
  const shown = await fetch(String(led.headers.location))
  expect([shown.status, await shown.text()]).toEqual([200, '<b>shown</b>'])
  expect([shown.headers.get('content-type'), shown.headers.get('content-disposition')]).toEqual([
    'text/html',
    'attachment',
  ])
  expect(await originOfLinks(service.config)).toBe(new URL(String(led.headers.location)).origin)
  expect((await service.app.server.inject({ url: url.replace(/signature=./, 'signature=_') })).statusCode).toBe(401)
  await service.close()
})

test('files are copied to a bucket and back, each held to its digest; a second copy copies nothing', async () => {
  const [here, back] = [path.join(folder, 'here'), path.join(folder, 'back')]
  const digests = [await store(fileFolder(here), 'one'), await store(fileFolder(here), 'two')]
  const broken = await store(fileFolder(here), 'broken')
  await writeFile(path.join(here, broken.slice(0, 2), broken.slice(2, 4), broken), 'braken')
  const copy = async (from: string, to: string) => {
    const child = startChild('server/src/main.ts', ['files', 'copy', '--from', from, '--to', to], {
      ATELIER_DATA_DIR: folder,
    })
    return [(await child.ended).code, child.stdout(), child.stderr()]
  }
  const address = 's3://files/copied'
  expect(await copy(here, address)).toEqual([
    1,
    expect.stringContaining('2 files (0.0 MB) are in s3://files/copied; copied now: 2.'),
    expect.stringContaining(`Damaged where they were, and left out: 1 (${broken}).`),
  ])
  expect(await copy(address, back)).toEqual([0, expect.stringContaining('2 of them were copied now'), ''])
  expect(await copy(address, back)).toEqual([0, expect.stringContaining('0 of them were copied now'), ''])
  for (const digest of digests) expect(await text(await fileFolder(back).read(digest, 3))).toMatch(/one|two/)
})

test('a backup goes to a bucket as one file, and comes back from there', async () => {
  const run = async (dataDir: string, ...args: string[]) => {
    const child = startChild('server/src/main.ts', args, { ATELIER_DATA_DIR: path.join(folder, dataDir) })
    return [(await child.ended).code, child.stdout() + child.stderr()]
  }
  await store(fileFolder(path.join(folder, 'kept/files')), 'of a backup')
  await run('kept', 'migrate')
  const [code, said] = await run('kept', 'backup', '--to', 's3://files/backups')
  expect([code, said]).toEqual([
    0,
    expect.stringMatching(/^Backed up to s3:\/\/files\/backups\/atelier-\S+\.tar: .* 1 file /),
  ])
  expect(await run('restored', 'restore', '--from', 's3://files/none')).toEqual([
    1,
    expect.stringContaining('no backup'),
  ])
  expect(await run('restored', 'restore', '--from', 's3://files/backups')).toEqual([
    0,
    expect.stringContaining('0 tasks, 0 creatives, 1 file.'),
  ])
  // The temporary folders of the backup and the restore have been removed.
  expect(await readdir(path.join(folder, 'kept'))).not.toContainEqual(expect.stringMatching(/^\.making/))
  expect(await readdir(path.join(folder, 'restored'))).not.toContain('restoring-backup')
})
