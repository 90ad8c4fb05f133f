// In charge of connections on which nothing is being answered when the server closes: ones kept open for the next request,
// ones that a browser opened in advance, ones that have sent half a request. Node.js counts the latter two as busy until
// their headers are overdue, and a stop would wait for them.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Watches the server's connections; the function it returns ends those that nothing is being answered on. */
export function watchConnections(server: Server): () => void {
  /** Answers under way on each: more than one where a client sends requests without waiting. */
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
