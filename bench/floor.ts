// In charge of the floor, the baseline that the service is compared with: a bare node:http server that runs the service's own
// statements through `pg` and sends their results as text, without routes, authentication, validation or log.
import { createServer, type IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { createByHand, type NewTask } from './by-hand.ts'
import type { Read } from './capture.ts'

/** Connects the floor to a database, or adds paths that it can answer. */
export type FloorCommand = { databaseUrl: string } | { paths: Record<string, Read[]> }

/** The PostgreSQL session settings with which the service's own connection pool opens its connections. */
const options = '-c timezone=UTC -c jit=off'
const connections = 10

type Run = (read: Read) => Promise<string>

function runner(connectionString: string): { run: Run; create(body: string): Promise<string> } {
  const pools = new Map<number, pg.Pool>()
  const poolFor = (timeoutMs: number): pg.Pool => {
    const known = pools.get(timeoutMs)
    if (known) return known
    const pool = new pg.Pool({ connectionString, options, max: connections, statement_timeout: timeoutMs })
    pools.set(timeoutMs, pool)
    return pool
  }
  const everyday = 30_000
  return {
    async run({ name, text, values, timeoutMs }) {
      const query = { text, values: [...values], rowMode: 'array' as const, ...(name ? { name } : {}) }
      try {
        const { rows } = await poolFor(timeoutMs ?? everyday).query<unknown[]>(query)
        return rows.flat().join('\n')
      } catch (error) {
        // Only some reads have a time limit of their own, such as the one for a total. If such a read takes longer, the service sends
        // its response without the total; so this server sends `null` instead of the result.
        if (timeoutMs !== null && error instanceof pg.DatabaseError && error.code === '57014') return 'null'
        throw error
      }
    },
    async create(body) {
      const task: NewTask = JSON.parse(body)
      const client = await poolFor(everyday).connect()
      try {
        return await createByHand(client, task)
      } finally {
        client.release()
      }
    },
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/**
 * Sends the reads in the order of the service: each read as soon as the read with the index `after` has finished; null: at once.
 */
function runAll(reads: readonly Read[], run: Run): Promise<string[]> {
  const sent: Promise<string>[] = []
  for (const read of reads) {
    const before = read.after === null ? undefined : sent[read.after]
    sent.push(before ? before.then(() => run(read)) : run(read))
  }
  return Promise.all(sent)
}

const paths = new Map<string, Read[]>()
let database: ReturnType<typeof runner> | null = null

const server = createServer((request, response) => {
  const answer = async (): Promise<string> => {
    if (!database) throw new Error('The floor has no database yet.')
    const reads = paths.get(request.url ?? '') ?? []
    if (request.method === 'POST') {
      const body = await bodyOf(request)
      if (reads.length === 0) return database.create(body)
      // The reads are known by the path, but a server that answers a lookup has to read what was asked.
      JSON.parse(body)
    }
    if (reads.length === 0) throw new Error(`The floor does not know ${request.url}.`)
    return (await runAll(reads, database.run)).join('\n')
  }
  const send = (status: number, text: string) => {
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }
  answer().then(
    (text) => send(200, text),
    (error: unknown) => {
      process.stderr.write(`${error}\n`)
      send(500, '')
    },
  )
})

// Idle connections stay open as long as those of the service. That is longer than the measurements of the other servers
// take in between, so no measurement of this server begins with opening connections.
server.keepAliveTimeout = 72_000
server.listen(0, '127.0.0.1')
for await (const line of createInterface({ input: process.stdin })) {
  const command: FloorCommand = JSON.parse(line)
  if ('databaseUrl' in command) database = runner(command.databaseUrl)
  else for (const [path, reads] of Object.entries(command.paths)) paths.set(path, reads)
  const address = server.address()
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : null })}\n`)
}
process.exit()
