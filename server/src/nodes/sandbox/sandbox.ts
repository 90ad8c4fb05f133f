// In charge of running what users write within a time and a memory, in processes that are ended when either is over.
//
// Processes, because a thread's heap limit is none: V8 ends the whole process where a heap grows past it quickly enough,
// and an expression of one line does. A child has no environment, may write nothing, and starts nothing.
import { type ChildProcess, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { NodeFailure } from '../node-type.ts'
import type { ChildMessage, SandboxAnswer, SandboxJob } from './child.ts'

export type Sandbox = {
  /** The value of a JSONata expression; undefined where it has none. */
  evaluate(expression: string, input: unknown, signal: AbortSignal): Promise<unknown>
  /** What is wrong with data by a JSON Schema, or with the schema; null where nothing is. */
  check(schema: Record<string, unknown>, data: unknown, signal: AbortSignal): Promise<string | null>
}

type Limits = { seconds: number; megabytes: number; output: number }
export const sandboxLimits: Limits = { seconds: 5, megabytes: 128, output: 2_000_000 }

/** Idle for so long, or having used so much, a child makes way for a fresh one. */
const idleMs = 60_000
const mostCpuSeconds = 60

export function createSandbox(most = 2, limits = sandboxLimits): Sandbox {
  const pool = createPool(most, () => startChild(limits.megabytes))

  const ask = async (job: SandboxJob, signal: AbortSignal): Promise<SandboxAnswer> => {
    const child = await pool.take(signal)
    const { answer, cpu } = await answerOf(child, job, limits, signal)
    pool.giveBack(child, cpu < mostCpuSeconds)
    return answer
  }
  return {
    evaluate: async (expression, input, signal) => {
      const answer = await ask({ name: 'evaluate', expression, input, limit: limits.output }, signal)
      if ('wrong' in answer) throw new NodeFailure(`The expression does not work out: ${answer.wrong}.`)
      return answer.value
    },
    check: async (schema, data, signal) => {
      const answer = await ask({ name: 'check', schema, data }, signal)
      return 'wrong' in answer ? answer.wrong : null
    },
  }
}

/** The answer to one job, or the child is ended and the job fails with why. */
function answerOf(child: ChildProcess, job: SandboxJob, limits: Limits, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<{ answer: SandboxAnswer; cpu: number }>()
  let why: unknown = new NodeFailure(`It needed more than ${limits.megabytes} MB of memory, and was stopped.`)
  const end = (reason: unknown): void => {
    why = reason
    child.kill('SIGKILL')
  }
  const onMessage = (message: ChildMessage): void => void ('answer' in message && resolve(message))
  const onExit = (): void => reject(why)
  const onAbort = (): void => end(signal.reason)
  const tooLong = new NodeFailure(`It did not end within ${limits.seconds} seconds, and was stopped.`)
  const timer = setTimeout(() => end(tooLong), limits.seconds * 1000)
  child.on('message', onMessage).on('exit', onExit)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  else if (child.exitCode !== null || child.signalCode !== null) onExit()
  // Where it cannot be sent, the child is on its way out, and `exit` follows.
  else child.send(job, () => undefined)
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('message', onMessage).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}

/** A child that is ready. Its stack and heap are bounded, and so is its time, in case this process dies before ending it. */
async function startChild(megabytes: number): Promise<ChildProcess> {
  const flags = [`--max-old-space-size=${megabytes}`, '--permission', '--allow-fs-read=*', '--no-warnings']
  const shell = '/bin/sh'
  const bounded = existsSync(shell)
    ? {
        execPath: shell,
        execArgv: ['-c', `ulimit -t ${mostCpuSeconds * 2}; exec "$0" "$@"`, process.execPath, ...flags],
      }
    : { execArgv: flags }
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
    ...bounded,
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve())
    // For as long as it lives: an error that nobody listens for would end this process.
    child.on('error', reject)
    child.once('exit', (code, signal) => reject(new Error(`A sandbox did not start (${code ?? signal}).`)))
  })
  return child
}

/** Children that are used one job at a time; whoever finds none free waits in line. */
function createPool(most: number, start: () => Promise<ChildProcess>) {
  const free: { child: ChildProcess; timer: NodeJS.Timeout }[] = []
  const line: (() => void)[] = []
  let count = 0

  const hold = (child: ChildProcess, isHeld: boolean): void => {
    // An idle child keeps this process alive no longer than a busy one is waited for.
    const turn = isHeld ? 'ref' : 'unref'
    child[turn]()
    child.channel?.[turn]()
  }
  const begin = async (): Promise<ChildProcess> => {
    count++
    const child = await start().catch((error: unknown) => {
      gone()
      throw error
    })
    child.once('exit', gone)
    return child
  }
  const gone = (): void => {
    count--
    line.shift()?.()
  }
  const take = async (signal: AbortSignal): Promise<ChildProcess> => {
    for (;;) {
      signal.throwIfAborted()
      const found = free.pop()
      if (found) {
        clearTimeout(found.timer)
        hold(found.child, true)
        if (found.child.connected) return found.child
      } else if (count < most) return begin()
      else await new Promise<void>((resolve) => line.push(resolve))
      // Whoever was woken and needs nothing any more wakes the next.
      if (signal.aborted) line.shift()?.()
    }
  }
  const giveBack = (child: ChildProcess, isFresh: boolean): void => {
    if (!isFresh) return void child.kill('SIGKILL')
    hold(child, false)
    const timer = setTimeout(() => {
      free.splice(
        free.findIndex((one) => one.child === child),
        1,
      )
      child.kill('SIGKILL')
    }, idleMs).unref()
    free.push({ child, timer })
    line.shift()?.()
  }
  return { take, giveBack }
}
