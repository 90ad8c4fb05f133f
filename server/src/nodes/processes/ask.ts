// In charge of one question to a child process: its answer, or the process is ended and the question fails with why.
import type { ChildProcess } from 'node:child_process'

/** How a child ended that we did not end. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

type Question<M, T> = {
  message: object
  /** Takes each message of the child. What it returns, once it is not undefined, is the answer. */
  heard(message: M, end: (why: unknown) => void): T | undefined
  /** Why the question fails where the child ends. */
  ended(ending: Ending): unknown
  signal: AbortSignal
}

/** Asks a child that is doing nothing else. `end` ends the child, and the question with it. */
export function ask<M, T>(child: ChildProcess, { message, heard, ended, signal }: Question<M, T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  let why: { reason: unknown } | null = null
  const end = (reason: unknown): void => {
    why ??= { reason }
    child.kill('SIGKILL')
  }
  const onMessage = (said: M): void => {
    const answer = heard(said, end)
    if (answer !== undefined) resolve(answer)
  }
  const onExit = (): void => reject(why ? why.reason : ended({ code: child.exitCode, signal: child.signalCode }))
  const onAbort = (): void => end(signal.reason)
  child.on('message', onMessage).on('exit', onExit)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  else if (child.exitCode !== null || child.signalCode !== null) onExit()
  // Where it cannot be sent, the child is on its way out, and `exit` follows.
  else child.send(message, () => undefined)
  return promise.finally(() => {
    child.off('message', onMessage).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}
