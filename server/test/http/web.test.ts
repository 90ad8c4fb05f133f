// Facts about how the web app is served: compression, caching, its own addresses only, and the content security policy.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { webPaths } from '@atelier/contract/wire/web-paths.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWeb } from '../../src/platform/http/web.ts'
import { type Service, startService } from '../support/harness.ts'

const script = 'console.log("the app")'
let folder: string
let service: Service
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'atelier-web-'))
  await mkdir(path.join(folder, 'assets'))
  await writeFile(path.join(folder, 'index.html'), '<!doctype html><title>Atelier</title>')
  await mkdir(path.join(folder, 'pages/graphs'), { recursive: true })
  await writeFile(path.join(folder, 'pages/graphs/graph_id.html'), '<!doctype html><title>Atelier</title> of a graph')
  await writeFile(path.join(folder, 'assets/app-1a2b.js'), script)
  await writeFile(path.join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(script))
  await writeFile(path.join(folder, 'assets/app-1a2b.js.gz'), gzipSync(script))
  await writeFile(path.join(folder, 'built-from'), 'not for anybody')
  service = await startService({}, undefined, [], { web: readWeb(folder) })
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const open = (url: string, headers: Record<string, string> = {}) =>
  service.app.server.inject({ method: 'GET', url, headers })

test.for(webPaths)('%s is the page, which is asked for again every time', async (place) => {
  const { statusCode, headers, body } = await open(place.replace(/:\w+/, '0190'))
  expect(statusCode).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['cache-control']).toBe('no-cache')
  expect(body).toContain('<title>Atelier</title>')
})

test('the document has the page of the way in, also where it has not changed', async () => {
  const { status, headers } = await service.get('/', { token: null })
  expect(status).toBe(200)
  const again = await service.get('/', { token: null, headers: { 'if-none-match': String(headers.etag) } })
  expect(again.status).toBe(304)
})

test('an address that has a page of its own, which names what is needed first there, is answered with it', async () => {
  expect((await open('/graphs/0190')).body).toContain('of a graph')
  expect((await open('/graphs')).body).not.toContain('of a graph')
  expect((await open('/pages/graphs/graph_id.html')).statusCode).toBe(404)
})

test('the page may run its own scripts, none written into it, and load nothing from elsewhere', async () => {
  const policy = String((await open('/')).headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("connect-src 'self'")
  expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:/)
})

test('what has a hash in its name is kept for good, and sent as small as the client takes it', async () => {
  const plain = await open('/assets/app-1a2b.js')
  expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(plain.headers.vary).toBe('accept-encoding')
  expect(plain.body).toBe(script)
  for (const [accepts, gets] of [
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
  ] as const) {
    const { headers } = await open('/assets/app-1a2b.js', { 'accept-encoding': accepts })
    expect(headers['content-encoding'], accepts).toBe(gets)
  }
})

test('whoever has the page is not sent it again', async () => {
  const { headers } = await open('/')
  const again = await open('/', { 'if-none-match': String(headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('other addresses stay refusals, and nothing else of the folder is served', async () => {
  for (const place of ['/nowhere', '/tasks', '/assets/other.js', '/built-from', '/index.html.br', '/api/v1/nowhere']) {
    const { statusCode, headers } = await open(place)
    expect(statusCode, place).toBe(404)
    expect(headers['content-type'], place).toMatch(/problem\+json/)
  }
})

test('a person who mistyped an address is shown the page, which says so; a program is refused', async () => {
  const asked = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  for (const place of ['/nowhere', '/tasks', '/runs/1/2?x=.y']) {
    const { statusCode, headers, body } = await open(place, asked)
    expect([statusCode, headers['content-type']], place).toEqual([404, 'text/html; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('<title>Atelier</title>')
  }
  for (const place of ['/api/v1/nowhere', '/assets/other.js', '/index.html.br'])
    expect((await open(place, asked)).headers['content-type'], place).toMatch(/problem\+json/)
})

test('a folder without a page is no app', () => {
  expect(readWeb(path.join(folder, 'assets'))).toBeNull()
})
