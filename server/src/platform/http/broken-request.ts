// In charge of data that is not a valid, complete HTTP request: sends a refusal to the client and closes the connection.
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { Refusal, type RefusalCode, refusals } from '@atelier/contract/wire/errors.ts'
import type { Log } from '../log.ts'
import { problemOf } from './refuse.ts'

const codeOf: Record<string, RefusalCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
}
const details: Partial<Record<RefusalCode, string>> = {
  request_timeout: 'The request did not arrive whole in time; send it again.',
  headers_too_large: 'The address and the headers together are longer than 64 KB; send less.',
}

/**
 * Returns the function to call when Node's HTTP parser fails on a connection. No request is known then, so the refusal names no
 * path, and has a request id of its own, which the log has too. `everyAnswer`: the headers that every response has.
 */
export const brokenAnswerer =
  (log: Log, everyAnswer: Readonly<Record<string, string>>) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code !== 'ECONNRESET' && socket.writable) {
      const code = codeOf[error.code ?? ''] ?? 'malformed_request'
      const refusal = new Refusal(code, details[code] ?? 'These bytes are not an HTTP request.')
      const body = JSON.stringify(problemOf(refusal, ''))
      const { status, title } = refusals[code]
      const requestId = randomUUID()
      const head = [
        'content-type: application/problem+json',
        `content-length: ${Buffer.byteLength(body)}`,
        `x-request-id: ${requestId}`,
        'connection: close',
        ...Object.entries(everyAnswer).map(([name, value]) => `${name}: ${value}`),
      ]
      socket.write(`HTTP/1.1 ${status} ${title}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
      log.info(
        { request_id: requestId, status, code: error.code },
        'no complete request came; its connection was closed',
      )
    }
    socket.destroy()
  }
