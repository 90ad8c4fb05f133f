// In charge of how a worker sends heartbeats: on PostgreSQL from a thread with its own connection, so that the worker
// counts as alive while its main thread is busy. Otherwise another process would take over its runs, and their paid
// results.
//
// The embedded database is part of the process and has no second connection; only the process's own reconciler can take a
// run away there, and it sends the heartbeat of its worker before it judges any run.
import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db.ts'

export type HeartbeatStatement = Pick<CompiledQuery, 'sql' | 'parameters'>
/** `besides`: statements that only a repetition runs, since the original caller runs them itself. */
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
  /** The heartbeat stops for a worker whose main thread has been silent for this long. */
  frozenSeconds: number
}

export type Heartbeat = {
  /** Runs a statement, and repeats it together with `besides` until the next call. */
  send<R>(statement: CompiledQuery<R> | null, besides: readonly CompiledQuery[]): Promise<R[]>
  stop(): Promise<void>
}

export const ownHeartbeat = ({ main }: Pick<Database, 'main'>): Heartbeat => ({
  send: async (statement) => (statement ? (await main.executeQuery(statement)).rows : []),
  stop: () => Promise.resolve(),
})

const frozenSeconds = 60

/** `instead`: the heartbeat to use if the thread crashes; then only the thread's advantage is lost. */
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

/** A statement without members that cannot be sent to a thread. */
const bare = <S extends CompiledQuery | null>(statement: S) =>
  statement && { sql: statement.sql, parameters: statement.parameters }
