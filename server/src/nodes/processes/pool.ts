// In charge of a pool of child processes: at most `most` of them, each with one job at a time. A child is killed if it is idle for
// too long, or if `giveBack` says that it is not fresh.
import type { ChildProcess } from 'node:child_process'

export type Pool = {
  /** Returns a free child, or starts one. If none is free and `most` are running, the caller waits in a queue. */
  take(signal: AbortSignal): Promise<ChildProcess>
  /** Returns a child after its job. If `isFresh`, the child is kept for the next job; otherwise it is killed. */
  giveBack(child: ChildProcess, isFresh: boolean): void
}

export function createPool(most: number, idleMs: number, start: () => Promise<ChildProcess>): Pool {
  const free: { child: ChildProcess; timer: NodeJS.Timeout }[] = []
  const line: (() => void)[] = []
  let count = 0

  const hold = (child: ChildProcess, isHeld: boolean): void => {
    // A busy child keeps this process alive, an idle one does not: this process can end while idle children exist.
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
  /**
   * Waits in the queue until a child becomes free or ends, and then returns true; returns false if the signal aborts before that,
   * in which case the caller leaves the queue.
   */
  const turn = (signal: AbortSignal): Promise<boolean> =>
    new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave)
        resolve(true)
      }
      const leave = (): void => {
        line.splice(line.indexOf(wake), 1)
        resolve(false)
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
      // An aborted caller takes no child. If it was woken, a child may be free, so it wakes the next caller.
      else if ((await turn(signal)) && signal.aborted) line.shift()?.()
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
