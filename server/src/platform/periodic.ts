// In charge of periodic work: input-free, idempotent jobs, run one at a time in each process, never overlapping themselves.
import type { Log } from './log.ts'

/**
 * `stopping` is aborted when the process ends: work that comes in batches leaves the rest to the next process. `firstMs`: when the
 * first turn is due, where people wait for it; otherwise after `everyMs`.
 */
export type Job = { name: string; everyMs: number; firstMs?: number; run: (stopping: AbortSignal) => Promise<void> }

/** Starts the jobs; `ended` hears of each turn. The returned function stops them and waits for those under way. */
export function startPeriodic(
  jobs: Job[],
  log: Log,
  ended: (job: string, isDone: boolean) => void = () => undefined,
): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const schedule = (job: Job, dueMs = job.everyMs): void => {
    if (stopping.signal.aborted) return
    // A tenth of jitter, so that many processes started together do not all work at once.
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        const turn = once(job, stopping.signal, log).then((isDone) => {
          ended(job.name, isDone)
          running.delete(turn)
          schedule(job)
        })
        running.add(turn)
      },
      dueMs * (0.95 + Math.random() / 10),
    )
    timers.add(timer)
  }
  for (const job of jobs) schedule(job, job.firstMs)

  return async () => {
    stopping.abort()
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(running)
  }
}

/** Whether it did its work. */
async function once(job: Job, stopping: AbortSignal, log: Log): Promise<boolean> {
  try {
    await job.run(stopping)
    return true
  } catch (error) {
    log.error({ err: error, job: job.name }, 'a periodic job failed; it runs again at its next turn')
    return false
  }
}
