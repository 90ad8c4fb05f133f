// In charge of sending a drawn request over a socket and reading the response.
import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Request } from './requests.ts'

export type Reply = { status: number; headers: IncomingHttpHeaders; text: string; ms: number }

/** Longer than any response may take; a service that hangs is detected by this timeout. */
const patienceMs = 60_000
/** How long a stream that does not end is read. */
const streamMs = 100

export type Send = (request: Request, isStream: boolean) => Promise<Reply>

export function sender(base: string): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const { hostname, port } = new URL(base)
  const send: Send = ({ method, path, headers, body }, isStream) =>
    new Promise((resolve, reject) => {
      const started = performance.now()
      const asked = httpRequest({
        ...{ agent, hostname, port, method, path: plain(path), timeout: patienceMs },
        headers: framed(headers, body),
      })
      asked.on('response', (answer) => {
        const chunks: Buffer[] = []
        const end = () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text, ms: performance.now() - started })
        }
        answer.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', end)
        if (isStream) setTimeout(() => answer.destroy(), streamMs)
        answer.on('close', end).on('error', () => undefined)
      })
      asked.on('timeout', () => asked.destroy(new Error(`no answer in ${patienceMs / 1000} s`)))
      asked.on('error', reject)
      asked.end(body)
    })
  return { send, close: () => agent.destroy() }
}

/**
 * Adds the length of the body, which Node omits for methods that usually have no body; without the length, the server would read
 * the body as the next request.
 */
function framed(headers: Record<string, string>, body: string): Record<string, string | number> {
  const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, plain(value)]))
  return body === '' || 'transfer-encoding' in sent ? sent : { ...sent, 'content-length': Buffer.byteLength(body) }
}

/** Replaces characters that Node does not allow in a request line or a header; tests over a raw socket send those characters. */
const plain = (text: string): string => text.replaceAll(/[^\x21-\x7e ]/g, '~').replaceAll(/ (?=.*HTTP)/g, '%20')
