// In charge of sending one job to a child process and waiting for its answer. If there is a reason not to wait longer, the child is
// killed, and the job fails with that reason.
import type { ChildProcess } from 'node:child_process'

/** How a child ended that `ask` did not kill. `code`: its exit code, or null if a signal ended it. `signal`: that signal. */
export type Ending = { code: number | null; signal: NodeJS.Signals | null }

type Question<M, T> = {
  message: object
  /** Called with each message of the child; the first result other than undefined is the answer. `end` kills the child. */
  heard(message: M, end: (why: unknown) => void): T | undefined
  /** Makes the error with which the job fails if the child ends although `ask` did not kill it. */
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
  // An error of sending is ignored: it means that the child is about to exit, and `onExit` then makes the job fail.
  else child.send(message, () => undefined)
  return promise.finally(() => {
    child.off('message', onMessage).off('exit', onExit)
    signal.removeEventListener('abort', onAbort)
  })
}
