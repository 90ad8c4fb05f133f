// In charge of sending one job to a child process: either returns the child's answer, or kills the child and fails with the reason.
import type { ChildProcess } from 'node:child_process'

/** The exit code or the signal of a child that ended without being killed by this code; the other one is null. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

type Question<M, T> = {
  message: object
  /** Receives each message of the child. The first return value that is not undefined is the answer. */
  heard(message: M, end: (why: unknown) => void): T | undefined
  /** The error of the job if the child ends without being killed by this code. */
  ended(ending: Ending): unknown
  signal: AbortSignal
}

/** Sends a job to an idle child. If `heard` calls `end`, or the signal aborts, the child is killed and the job fails. */
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
