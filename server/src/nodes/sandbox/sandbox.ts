// In charge of evaluating expressions and JSON Schemas that users wrote, in child processes that end at a limit of time or memory.
//
// Threads would not be enough: if the heap of a thread grows fast enough, V8 ends the whole process in spite of the thread's heap
// limit, and one short expression can do this. A child has no environment variables, may not write files, and may not start
// processes.
import type { ChildProcess } from 'node:child_process'
import { NodeFailure } from '../node-type.ts'
import { ask } from '../processes/ask.ts'
import { createPool } from '../processes/pool.ts'
import { startChild } from '../processes/start.ts'
import type { SandboxAnswer, SandboxJob, SandboxMessage } from './child.ts'

export type Sandbox = {
  /** The value of a JSONata expression; undefined if it has none. `input`: the data to which the expression is applied. */
  evaluate(expression: string, input: unknown, signal: AbortSignal): Promise<unknown>
  /**
   * Checks that the data match a JSON Schema. Returns the first error in the data or in the schema itself; null if there is none.
   * If `data` is undefined, only the schema is checked.
   */
  check(schema: Record<string, unknown>, data: unknown, signal: AbortSignal): Promise<string | null>
}

type Limits = { seconds: number; megabytes: number; output: number }
const sandboxLimits: Limits = { seconds: 5, megabytes: 128, output: 2_000_000 }

/**
 * A child process is killed if it has had no job for `idleMs`. It is also killed at the end of a job if all its jobs together
 * have used `mostCpuSeconds` of processor time. A new child starts when a job needs one.
 */
const idleMs = 60_000
const mostCpuSeconds = 60

export function createSandbox(most = 2, limits = sandboxLimits): Sandbox {
  const pool = createPool(most, idleMs, () =>
    startChild({
      file: new URL('./child.ts', import.meta.url),
      limits: { megabytes: limits.megabytes, cpuSeconds: mostCpuSeconds * 2 },
      native: false,
    }),
  )

  const run = async (job: SandboxJob, signal: AbortSignal): Promise<SandboxAnswer> => {
    const child = await pool.take(signal)
    const { answer, cpu } = await answerOf(child, job, limits, signal)
    pool.giveBack(child, cpu < mostCpuSeconds)
    return answer
  }
  return {
    evaluate: async (expression, input, signal) => {
      const answer = await run({ name: 'evaluate', expression, input, limit: limits.output }, signal)
      if ('wrong' in answer) throw new NodeFailure(`The expression does not work out: ${answer.wrong}.`)
      return answer.value
    },
    check: async (schema, data, signal) => {
      const answer = await run({ name: 'check', schema, data }, signal)
      return 'wrong' in answer ? answer.wrong : null
    },
  }
}

/** The answer to one job. If the job takes too long or is aborted, the child is killed. */
function answerOf(child: ChildProcess, job: SandboxJob, { seconds, megabytes }: Limits, signal: AbortSignal) {
  const late = new AbortController()
  const tooLong = new NodeFailure(`It did not end within ${seconds} seconds, and was stopped.`)
  const timer = setTimeout(() => late.abort(tooLong), seconds * 1000)
  const answer = ask<SandboxMessage, SandboxMessage>(child, {
    message: job,
    signal: AbortSignal.any([signal, late.signal]),
    heard: (message) => message,
    ended: () => new NodeFailure(`It needed more than ${megabytes} MB of memory, and was stopped.`),
  })
  return answer.finally(() => clearTimeout(timer))
}
