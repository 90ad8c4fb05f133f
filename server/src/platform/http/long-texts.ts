// In charge of sending long texts as bytes. To write a text of more than 128 KB to a connection, Node.js takes fresh memory from the
// system and gives it back, each time, and the system has to clear it page by page: for half a megabyte that was 2 ms of processor
// time, of which the bytes in memory that is used again need 0.15.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Texts of up to this many characters are left to Node.js, which sends them as fast. */
const shortText = 65_536

/** Makes long texts bytes before they are sent. */
export function sendLongTextsAsBytes(server: FastifyInstance): void {
  server.addHook('onSend', (_request, { raw }, payload, done) => {
    done(null, typeof payload === 'string' && payload.length > shortText ? bytesOf([payload], raw) : payload)
  })
}

/** What to send for texts that follow each other. `response`: frees the memory of the bytes as soon as they were all sent. */
export function joined(texts: readonly string[], response: ServerResponse): string | Buffer {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return length > shortText ? bytesOf(texts, response) : texts.join('')
}

function bytesOf(texts: readonly string[], response: ServerResponse): Buffer {
  // Not from a pool that Node.js shares, so that the memory can be freed.
  const bytes = Buffer.allocUnsafeSlow(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0))
  let length = 0
  for (const text of texts) length += bytes.write(text, length)
  response.once('finish', () => free(bytes))
  return bytes
}

/**
 * Frees the memory of a piece as soon as the system has taken over all that was written to the response. The garbage collector
 * would free such memory much later: with six readers of a large run, 30 MB of it had piled up. If the connection is closed, or
 * if no `drain` event will follow, the piece is left to the garbage collector.
 */
export async function freeOnceSent(response: ServerResponse, piece: Buffer): Promise<void> {
  if (!(response.socket instanceof Socket) || !response.writableNeedDrain) return
  const closed = new AbortController()
  const stop = () => closed.abort()
  response.once('close', stop)
  await once(response, 'drain', { signal: closed.signal }).catch(() => undefined)
  response.off('close', stop)
  if (!closed.signal.aborted && response.writableLength === 0) free(piece)
}

function free(piece: Buffer): void {
  const { buffer } = piece
  // A small buffer may be a part of one that Node.js shares with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === piece.byteLength) buffer.transfer(0)
}
