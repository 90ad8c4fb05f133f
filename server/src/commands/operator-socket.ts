// In charge of requests from the operator's commands to a service on an embedded database, which commands cannot open at the
// same time. They use a socket in the data folder, which no other user of the machine can reach.
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join, relative } from 'node:path'
import { json } from 'node:stream/consumers'
import { OperatorError } from '../platform/operator-error.ts'

/** Relative to the working directory if that is shorter: the system limits the path of a socket to about a hundred bytes. */
const socketPath = (dataDir: string): string => {
  const path = join(dataDir, 'operator.sock')
  const short = relative(process.cwd(), path)
  return short.length < path.length ? short : path
}

type Work = () => Promise<unknown>

/** Serves each work by its name. The returned function ends this at once, because a disk that hangs must not delay a stop. */
export async function answerOperator(dataDir: string, works: Record<string, Work>): Promise<() => void> {
  const path = socketPath(dataDir)
  // Removes the socket of a killed process; the lock on the folder guarantees that no other process is running.
  await rm(path, { force: true })
  const server = createServer((asked, answer) => {
    const work = works[asked.url?.slice(1) ?? '']
    const answered = work ? work() : Promise.reject(new OperatorError(`This service does not know ${asked.url}.`))
    answered.then(
      (result) => answer.end(JSON.stringify({ result })),
      (error: unknown) => answer.end(JSON.stringify({ error: error instanceof Error ? error.message : String(error) })),
    )
  })
  server.listen(path)
  await once(server, 'listening')
  return () => {
    server.close()
    server.closeAllConnections()
  }
}

/** The response of the running service; null if no service runs on this folder. */
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
    throw error
  }
}
