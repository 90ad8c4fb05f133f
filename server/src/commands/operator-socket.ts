// In charge of the socket by which commands send requests to a service with an embedded database, since only one process can open
// that database. The socket is in the data folder, which no other user of the machine can access.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'

/** The path is relative if that is shorter, because the system limits a socket's path to about a hundred bytes. */
const socketPath = (dataDir: string): string => {
  const path = join(dataDir, 'operator.sock')
  const short = relative(process.cwd(), path)
  return short.length < path.length ? short : path
}

type Work = () => Promise<unknown>

/**
 * Listens on the socket. A request whose path is the name of a function in `works` calls the function and gets its result. The
 * returned function closes the socket and all connections, without waiting for calls in progress.
 */
export async function answerOperator(dataDir: string, works: Record<string, Work>): Promise<() => void> {
  const path = socketPath(dataDir)
  // A killed process leaves its socket behind. The old socket can be removed: this process has locked the folder, so no other
  // process is using the socket.
  await rm(path, { force: true })
  const server = createServer((asked, answer) => {
    const work = works[asked.url?.slice(1) ?? '']
    const answered = work ? work() : Promise.reject(new OperatorError(`This service does not know ${asked.url}.`))
    answered.then(
      (result) => answer.end(JSON.stringify({ result })),
      (error: unknown) => answer.end(JSON.stringify({ error: wordsOf(error) })),
    )
  })
  server.listen(path)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** Asks the running service to do some work, and returns the result; null if no service is running on this data folder. */
export async function askRunning(dataDir: string, work: string): Promise<unknown> {
  const asking = request({ socketPath: socketPath(dataDir), path: `/${work}`, method: 'POST' })
  asking.end()
  try {
    const [answer] = await once(asking, 'response')
    const said: unknown = await json(answer)
    if (typeof said !== 'object' || said === null) throw new Error('The running service answered nothing.')
    if ('error' in said) throw new OperatorError(`The running service could not do it: ${said.error}`)
    return 'result' in said ? said.result : null
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null
    if (code === 'ECONNRESET' || code === 'EPIPE')
      throw new OperatorError(
        'The service stopped before it had answered: try again once it has stopped or runs again.',
        {
          cause: error,
        },
      )
    throw error
  }
}
