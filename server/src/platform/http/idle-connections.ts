// In charge of closing the connections that have no response in progress when the server closes: ones kept open for the next
// request, ones that a browser opened in advance, ones with half a request sent. Node.js counts the latter two as busy until
// their headers time out, and a stop of the server would wait for them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Watches the server's connections; the returned function closes those without a response in progress. */
export function watchConnections(server: Server): () => void {
  /** The number of responses in progress per connection: more than one if a client pipelines its requests. */
  const open = new Map<Socket, number>()
  const add = (socket: Socket, count: number): void => {
    const answering = open.get(socket)
    if (answering !== undefined) open.set(socket, answering + count)
  }
  server.on('connection', (socket: Socket) => {
    open.set(socket, 0)
    socket.once('close', () => open.delete(socket))
  })
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    add(socket, 1)
    response.once('close', () => add(socket, -1))
  })
  return () => {
    for (const [socket, answering] of open) if (answering === 0) socket.destroy()
  }
}
