// Facts about long texts, which are sent as bytes whose memory is freed after them.
import { EventEmitter, once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterEach, expect, test } from 'vitest'
import { joined, sendLongTextsAsBytes } from './long-texts.ts'

const server = Fastify()
sendLongTextsAsBytes(server)
const sent: Buffer[] = []
server.addHook('onSend', async (_request, _reply, payload) => {
  if (Buffer.isBuffer(payload)) sent.push(payload)
  return payload
})
/** A text of this many characters, which take one to four bytes each; a lone surrogate among them becomes U+FFFD. */
const textOf = (length: number): string => `${length}${'aé日😀\ud800'.repeat(length / 6 + 1)}`.slice(0, length)
server.get<{ Params: { length: string } }>('/:length', async ({ params }, reply) =>
  reply.type('text/plain; charset=utf-8').send(textOf(Number(params.length))),
)
afterEach(() => {
  sent.length = 0
})

const lengths = [1, 65_536, 65_537, 200_000, 1_500_000]
const address = await server.listen({ port: 0, host: '127.0.0.1' })
const read = async (length: number) => Buffer.from(await (await fetch(`${address}/${length}`)).arrayBuffer())

test.each(lengths)('a text of %i characters arrives byte for byte, ten times at once', async (length) => {
  const expected = Buffer.from(textOf(length))
  const all = await Promise.all(Array.from({ length: 10 }, () => read(length)))
  expect(all.filter((one) => one.equals(expected))).toHaveLength(10)
})

test('a caller that reads late gets all of it, while the memory of others is freed and used again', async () => {
  const length = 10_000_000 // more than the system takes over for a caller that does not read
  const late = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  late.pause()
  late.write(`GET /${length} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`)
  await expect.poll(() => sent.length).toBe(1)
  for (let turn = 0; turn < 20; turn += 1) await read(200_000 + turn)
  const [ofLate, ...others] = sent
  await expect.poll(() => others.every(({ buffer }) => buffer.byteLength === 0)).toBe(true)
  expect(ofLate?.length).toBe(Buffer.byteLength(textOf(length)))
  const chunks: Buffer[] = []
  late.on('data', (chunk) => chunks.push(chunk))
  late.resume()
  await once(late, 'close')
  const answer = Buffer.concat(chunks)
  expect(answer.subarray(answer.indexOf('\r\n\r\n') + 4).equals(Buffer.from(textOf(length)))).toBe(true)
})

test('HEAD tells the length in bytes', async () => {
  const { headers } = await fetch(`${address}/200000`, { method: 'HEAD' })
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(textOf(200_000))))
})

test('a caller that leaves in the middle harms nobody', async () => {
  const gone = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  gone.pause()
  gone.write('GET /10000000 HTTP/1.1\r\nhost: a\r\n\r\n')
  await expect.poll(() => sent.length).toBe(1)
  gone.destroy()
  expect((await read(200_000)).equals(Buffer.from(textOf(200_000)))).toBe(true)
})

test('texts that follow each other are joined, and short ones stay a text', () => {
  const response = new EventEmitter() as ServerResponse
  expect(joined(['[', '1', ']'], response)).toBe('[1]')
  const texts = [textOf(40_000), textOf(40_001)]
  const bytes = joined(texts, response)
  if (!Buffer.isBuffer(bytes)) throw new Error('A long text has to become bytes.')
  expect(bytes.equals(Buffer.from(textOf(40_000) + textOf(40_001)))).toBe(true)
  response.emit('finish')
  expect(bytes.buffer.byteLength).toBe(0)
})
