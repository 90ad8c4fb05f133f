// In charge of running what users write in a thread with a deadline and a bound on memory, which is ended when either is over.
import { Piscina } from 'piscina'
import { NodeFailure } from '../node-type.ts'
import type { Evaluated } from './worker.ts'

export type Sandbox = {
  /** The value of a JSONata expression; undefined where it has none. */
  evaluate(expression: string, input: unknown, signal: AbortSignal): Promise<unknown>
  /** What is wrong with data by a JSON Schema, or with the schema; null where nothing is. */
  check(schema: Record<string, unknown>, data: unknown, signal: AbortSignal): Promise<string | null>
}

export const sandboxLimits = { seconds: 5, megabytes: 128, output: 2_000_000 } as const

export function createSandbox(
  threads = 2,
  limits: { seconds: number; megabytes: number; output: number } = sandboxLimits,
): Sandbox {
  let pool: Piscina | null = null
  const ask = async <T>(name: string, job: unknown, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    pool ??= new Piscina({
      filename: new URL('./worker.ts', import.meta.url).href,
      ...{ minThreads: 0, maxThreads: threads, idleTimeout: 120_000 },
      resourceLimits: { maxOldGenerationSizeMb: limits.megabytes, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    })
    const deadline = AbortSignal.timeout(limits.seconds * 1000)
    try {
      const answer: T = await pool.run(job, { name, signal: AbortSignal.any([signal, deadline]) })
      return answer
    } catch (cause) {
      signal.throwIfAborted()
      if (deadline.aborted)
        throw new NodeFailure(`It did not end within ${limits.seconds} seconds, and was stopped.`, { cause })
      if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_WORKER_OUT_OF_MEMORY') {
        throw new NodeFailure(`It needed more than ${limits.megabytes} MB of memory, and was stopped.`, { cause })
      }
      throw cause
    }
  }
  return {
    evaluate: async (expression, input, signal) => {
      const found = await ask<Evaluated>('evaluate', { expression, input, limit: limits.output }, signal)
      if ('wrong' in found) throw new NodeFailure(`The expression does not work out: ${found.wrong}.`)
      const value: unknown = found.json === null ? undefined : JSON.parse(found.json)
      return value
    },
    check: (schema, data, signal) => ask('check', { schema, data }, signal),
  }
}
