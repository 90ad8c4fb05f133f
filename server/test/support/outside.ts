// In charge of a web server on this machine that plays an external service: real HTTP, with the failures that a test chooses.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: string }
type Answer = (response: ServerResponse, seen: Seen) => void

export type Outside = {
  /** The server's address: `http://127.0.0.1:…` */
  url: string
  port: number
  /** Every request that arrived, in order. */
  seen: Seen[]
}

/** Answers each request with the next of `answers`, and repeats the last of them; the server stops when the test ends. */
export async function startOutside(...answers: Answer[]): Promise<Outside> {
  const { close, ...outside } = await serveOutside(...answers)
  onTestFinished(close)
  return outside
}

/** Like `startOutside`, but for a server that several tests of a file share: it runs until `close` is called. */
export async function serveOutside(...answers: Answer[]): Promise<Outside & { close(): Promise<void> }> {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const one = { method, path, headers, body: Buffer.concat(chunks).toString() }
      const answer = answers[Math.min(seen.length, answers.length - 1)]
      seen.push(one)
      answer?.(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  const address = server.address()
  const { port } = isAddress(address) ? address : { port: 0 }
  return { url: `http://127.0.0.1:${port}`, port, seen, close }
}

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  typeof address === 'object' && address !== null

export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

export const text =
  (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'text/plain' }, status = 200): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body)

export const redirect =
  (location: string, status = 302): Answer =>
  (response) =>
    void response.writeHead(status, { location }).end()

/** Closes the connection once the request has arrived, without a response. */
export const hangUp: Answer = (response) => void response.socket?.destroy()

/** Closes the connection in the middle of the response. */
export const breakOff: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"choices": [', () => response.socket?.destroy())
}

/** Never responds. */
export const silence: Answer = () => undefined
