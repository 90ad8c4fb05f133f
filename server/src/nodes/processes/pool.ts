// In charge of the child processes of one kind: one job at a time each, a bounded number, ended where idle or used up.
import type { ChildProcess } from 'node:child_process'

export type Pool = {
  /** A free child, or a new one; whoever finds neither waits in line. */
  take(signal: AbortSignal): Promise<ChildProcess>
  /** Keeps the child for the next job, or ends it. */
  giveBack(child: ChildProcess, isFresh: boolean): void
}

export function createPool(most: number, idleMs: number, start: () => Promise<ChildProcess>): Pool {
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
  /** Waits for a child to come free, or for the signal, which leaves the line. */
  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        line.splice(line.indexOf(wake), 1)
        resolve()
      }
      line.push(wake)
      signal.addEventListener('abort', leave, { once: true })
    })
  const take = async (signal: AbortSignal): Promise<ChildProcess> => {
    for (;;) {
      signal.throwIfAborted()
      const found = free.pop()
      if (found) {
        clearTimeout(found.timer)
        hold(found.child, true)
        if (found.child.connected) return found.child
      } else if (count < most) return begin()
      else await turn(signal)
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
