// Facts about the node type `http.request`.
import { expect, test } from 'vitest'
import { callNode, failure, filesInMemory } from '../../test/support/nodes.ts'
import { hangUp, json, type Outside, silence, startOutside, text } from '../../test/support/outside.ts'
import { httpRequest } from './http-request.ts'
import { guardedAgent } from './outside/guard.ts'

const type = httpRequest(guardedAgent(['127.0.0.1']))
const ask = ({ url }: Outside, params: Record<string, unknown> = {}, inputs: Record<string, unknown> = {}) =>
  callNode(type, { params: { url: `${url}/`, ...params }, inputs, files: filesInMemory() })

test('fills in address, headers and body', async () => {
  const outside = await startOutside(json({ ok: true }))
  const params = {
    ...{ method: 'POST', url: `${outside.url}/p/{{ id | url_encode }}`, headers: { 'X-Tag': 'v{{ n }}' } },
    body: '{"name": {{ name | json }}}',
  }
  const { outputs } = await ask(outside, params, { id: 'a b/c', n: 2, name: 'Zoë "Z"' })
  expect(outputs).toEqual({ status: 200, text: '{"ok":true}', data: { ok: true } })
  expect(outside.seen[0]).toMatchObject({ method: 'POST', path: '/p/a+b%2Fc', body: '{"name": "Zoë \\"Z\\""}' })
  expect(outside.seen[0]?.headers).toMatchObject({
    'x-tag': 'v2',
    'content-type': 'application/json',
    'user-agent': 'Atelier',
  })
})

test('data with escapes of characters that no database keeps as text is kept without them', async () => {
  const answer = text(String.raw`{"a\u0000":"\ud800"}`, { 'content-type': 'application/json' })
  expect((await ask(await startOutside(answer))).outputs.data).toEqual({ 'a\ufffd': '\ufffd' })
})

test('an answer that is neither text nor JSON is a file', async () => {
  const outside = await startOutside(text(Buffer.from([1, 2, 3]), { 'content-type': 'application/zip' }))
  expect((await ask(outside)).outputs).toMatchObject({ status: 200, file: { media_type: 'application/zip', size: 3 } })
})

test('an error stops what follows, unless it is asked for', async () => {
  const outside = await startOutside(json({ why: 'gone' }, 410))
  expect((await failure(ask(outside))).message).toMatch(/answered 410: {"why":"gone"}/)
  expect((await ask(outside, { fail_on_error: false })).outputs).toMatchObject({ status: 410, data: { why: 'gone' } })
})

test('a GET that fails may be tried again; a POST may have arrived', async () => {
  const busy = await startOutside(text('', { 'retry-after': '3' }, 503))
  expect(await failure(ask(busy))).toMatchObject({ again: { afterSeconds: 3 } })
  expect(await failure(ask(busy, { method: 'POST' }))).toMatchObject({ again: null })
  const cut = await startOutside(hangUp)
  expect(await failure(ask(cut))).toMatchObject({ again: { afterSeconds: 5 }, outcome: 'none' })
  expect(await failure(ask(cut, { method: 'POST' }))).toMatchObject({ again: null, outcome: 'unknown' })
})

test('waits no longer than it is told', async () => {
  expect((await failure(ask(await startOutside(silence), { timeout_seconds: 1 }))).message).toMatch(
    /did not answer in time/,
  )
})

test.for([
  ['ftp://example.com/', /not an address/],
  ['example.com', /not an address/],
  ['https://user:pass@example.com/', /may not carry a user/],
  ['http://10.0.0.1/', /not on the public internet/],
] as const)('%s is refused', async ([url, words]) => {
  expect((await failure(callNode(type, { params: { url } }))).message).toMatch(words)
})

test.for([{ Host: 'inside' }, { 'Content-Length': '5' }, { 'X-A': 'a\r\nX-B: b' }])(
  'a header that would change the request is refused: %j',
  async (headers) => {
    const outside = await startOutside(text(''))
    expect((await failure(ask(outside, { headers }))).message).toMatch(/^The header/)
    expect(outside.seen).toEqual([])
  },
)
