// In charge of sending one job to a child process: returns its answer, or kills the process and fails with the reason.
import type { ChildProcess } from 'node:child_process'

/** How a child ended that this code did not kill. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

type Question<M, T> = {
  message: object
  /** Receives each message of the child. The first return value that is not undefined is the answer. */
  heard(message: M, end: (why: unknown) => void): T | undefined
  /** The error of the job where the child ends by itself. */
  ended(ending: Ending): unknown
  signal: AbortSignal
}

/** Sends a job to an idle child. Calling `end` kills the child and fails the job. */
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
  // If sending fails, the child is about to exit, and the `exit` event follows.
  else child.send(message, () => undefined)
  return promise.finally(() => {
    child.off('message', onMessage).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}
