// In charge of sending a worker's heartbeats. On PostgreSQL a thread with a connection of its own sends them, so that the
// worker counts as alive while its main thread is busy. Otherwise another process would take over the worker's runs, and
// calls of these runs would be paid for again.
//
// The embedded database is part of the process and has no second connection. There, only the process's own reconciler can
// take a run from its worker, and the reconciler sends the worker's heartbeat before it does so.
import { Worker } from 'node:worker_threads'
import type { CompiledQuery } from 'kysely'
import type { Database } from '../../platform/db.ts'

export type HeartbeatStatement = Pick<CompiledQuery, 'sql' | 'parameters'>
/**
 * `late`: the statement to execute after `statement` if any of its rows is `late`; it may wait for a lock. `besides`: statements that
 * the thread adds when it repeats the request because the main thread is busy.
 */
export type HeartbeatRequest = {
  id: number
  statement: HeartbeatStatement | null
  late: HeartbeatStatement | null
  besides: readonly HeartbeatStatement[]
}
export type HeartbeatReply = { id: number; rows?: unknown[]; error?: { message: string; code: string | null } }

/** The options with which the heartbeat thread is started. */
export type HeartbeatThreadOptions = {
  url: string
  seconds: number
  /** If the main thread has been silent for this many seconds, the thread sends no more heartbeats. */
  frozenSeconds: number
}

type Also = { late?: CompiledQuery; besides?: readonly CompiledQuery[] }

export type Heartbeat = {
  /**
   * Executes a statement and returns its rows; null: executes none. A heartbeat thread then executes `late` if any of the rows is
   * late. If the main thread is busy for long after that, the thread repeats the statement, and executes `besides` too, until the next
   * call of `send`.
   */
  send<R>(statement: CompiledQuery<R> | null, also?: Also): Promise<R[]>
  stop(): Promise<void>
}

export const ownHeartbeat = ({ main }: Pick<Database, 'main'>): Heartbeat => ({
  send: async (statement) => (statement ? (await main.executeQuery(statement)).rows : []),
  stop: () => Promise.resolve(),
})

const frozenSeconds = 60

/** `instead`: the heartbeat that is used once the thread has crashed. It cannot send anything while the main thread is busy. */
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
    send: <R>(statement: CompiledQuery<R> | null, also: Also = {}) => {
      if (isBroken) return instead.send(statement, also)
      const { late = null, besides = [] } = also
      return new Promise<R[]>((resolve, reject) => {
        last += 1
        waiting.set(last, { resolve: (rows) => resolve(rows as R[]), reject })
        const request: HeartbeatRequest = {
          ...{ id: last, statement: bare(statement), late: bare(late), besides: besides.map(bare) },
        }
        thread.postMessage(request, [])
      })
    },
    stop: async () => {
      await thread.terminate()
    },
  }
}

/** A statement with only the members that can be sent to a thread. */
const bare = <S extends CompiledQuery | null>(statement: S) =>
  statement && { sql: statement.sql, parameters: statement.parameters }
