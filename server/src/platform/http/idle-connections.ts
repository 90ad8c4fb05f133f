// In charge of closing connections without a response in progress when the server closes. Such a connection was kept open for the
// next request, was opened in advance by a browser, or has received half a request. In the last two cases, Node.js counts the
// connection as busy until its headers time out, and the closing server would have to wait that long.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Watches the server's connections; the returned function closes all connections without a response in progress. */
export function watchConnections(server: Server): () => void {
  /** The number of responses in progress for each connection; it exceeds 1 if the client pipelines its requests. */
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
