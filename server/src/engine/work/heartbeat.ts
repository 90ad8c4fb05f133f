// In charge of how a worker shows that it lives: on PostgreSQL from a thread with a connection of its own, so that it counts
// as alive while its other thread computes. Another process would take its runs away else, and what was paid for them.
//
// The embedded database is part of the process and has no second connection; nor can anything take a run away but
// the process's own reconciler, which shows the life of its worker before it judges any run.
import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db.ts'

export type HeartbeatStatement = Pick<CompiledQuery, 'sql' | 'parameters'>
/** `besides`: run only where the request is repeated, since whoever made it does so itself. */
export type HeartbeatRequest = {
  id: number
  statement: HeartbeatStatement | null
  besides: readonly HeartbeatStatement[]
}
export type HeartbeatReply = { id: number; rows?: unknown[]; error?: { message: string; code: string | null } }

/** What the thread is given. */
export type HeartbeatThreadOptions = {
  url: string
  seconds: number
  /** A worker whose main thread has been silent for this long is not shown as alive any more. */
  frozenSeconds: number
}

export type Heartbeat = {
  /** Runs a statement, and repeats it with those `besides` until the next one comes. */
  send<R>(statement: CompiledQuery<R> | null, besides: readonly CompiledQuery[]): Promise<R[]>
  stop(): Promise<void>
}

export const ownHeartbeat = ({ main }: Pick<Database, 'main'>): Heartbeat => ({
  send: async (statement) => (statement ? (await main.executeQuery(statement)).rows : []),
  stop: () => Promise.resolve(),
})

const frozenSeconds = 60

/** `instead`: should the thread break, which costs nothing but what it is for. */
export function threadHeartbeat(url: string, seconds: number, instead: Heartbeat): Heartbeat {
  const thread = new Worker(new URL('./heartbeat-thread.ts', import.meta.url), {
    workerData: { url, seconds, frozenSeconds } satisfies HeartbeatThreadOptions,
  })
  thread.unref()
  const waiting = new Map<number, { resolve: (rows: unknown[]) => void; reject: (reason: unknown) => void }>()
  let isBroken = false
  let last = 0
  thread.on('message', ({ id, rows, error }: HeartbeatReply) => {
    const one = waiting.get(id)
    waiting.delete(id)
    if (error) one?.reject(Object.assign(new Error(error.message), error.code === null ? {} : { code: error.code }))
    else one?.resolve(rows ?? [])
  })
  thread.on('error', (error) => {
    isBroken = true
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  })
  return {
    send: <R>(statement: CompiledQuery<R> | null, besides: readonly CompiledQuery[]) => {
      if (isBroken) return instead.send(statement, besides)
      return new Promise<R[]>((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve: (rows) => resolve(rows as R[]), reject })
        thread.postMessage({ id: last, statement: bare(statement), besides: besides.map(bare) }, [])
      })
    },
    stop: async () => {
      await thread.terminate()
    },
  }
}

/** Without what cannot be sent to a thread. */
const bare = <S extends CompiledQuery | null>(statement: S) =>
  statement && { sql: statement.sql, parameters: statement.parameters }
