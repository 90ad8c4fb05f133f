// In charge of one keep-alive HTTP connection with minimal overhead: requests are sent as prepared bytes, and response bodies are
// not parsed.
import { connect, type Socket } from 'node:net'

/** One request. `token` is sent as the bearer token. */
export type Ask = { port: number; path: string; method?: 'GET' | 'POST' | 'DELETE'; body?: string; token?: string }

export type Line = {
  /** Sends the bytes of a request and returns the response time in ms. Throws for any status but 2xx. */
  ask(bytes: Buffer): Promise<number>
  /** False once either side has closed the connection. */
  isOpen(): boolean
  close(): void
}

/** The bytes of a request, to be made once and sent many times. */
export function bytesOf({ path, method = 'GET', body, token }: Ask): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...(token === undefined ? [] : [`authorization: Bearer ${token}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}

const inChunks = Number.POSITIVE_INFINITY
const lastChunk = '\r\n0\r\n\r\n'

type Waiting = { started: number; done(ms: number): void; fail(error: Error): void }

/** Opens a connection to a server on this machine. The connection handles one request at a time, without pipelining. */
export async function openLine(port: number): Promise<Line> {
  const socket = await opened(port)
  let waiting: Waiting | null = null
  let head = ''
  let missing = -1 // bytes of the body still to come, or `inChunks`; negative until the head is complete
  let tail = '' // the last bytes of a chunked response so far; JSON has no line breaks that could look like the end

  const fail = (error: Error): void => {
    waiting?.fail(error)
    waiting = null
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error(`The server on port ${port} closed the connection.`)))
  socket.on('data', (chunk) => {
    if (missing === inChunks) {
      tail = (tail + chunk.subarray(-lastChunk.length).toString('latin1')).slice(-lastChunk.length)
    } else if (missing >= 0) {
      missing -= chunk.length
    } else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = /\r\ncontent-length: (\d+)/i.exec(head)
      const isChunked = /\r\ntransfer-encoding: chunked/i.test(head.slice(0, end))
      if (!head.startsWith('HTTP/1.1 2') || !(length || isChunked)) {
        return fail(new Error(`Not the answer wanted: ${head}`))
      }
      missing = isChunked ? inChunks : Number(length?.[1]) - (head.length - end - 4)
      tail = head.slice(-lastChunk.length)
    }
    if (missing === inChunks ? tail !== lastChunk : missing > 0) return
    head = ''
    tail = ''
    missing = -1
    const ended = waiting
    waiting = null
    ended?.done(performance.now() - ended.started)
  })

  return {
    ask: (bytes) =>
      new Promise((done, fail) => {
        if (socket.destroyed) throw new Error(`The connection to port ${port} is closed.`)
        waiting = { started: performance.now(), done, fail }
        socket.write(bytes)
      }),
    isOpen: () => !socket.destroyed && socket.writable,
    close: () => socket.destroy(),
  }
}

const opened = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
    socket.once('error', reject)
  })
