// In charge of running periodic jobs, which are idempotent and have no input; in each process, a job never runs twice at a time.
import type { Log } from './log.ts'
import { type Report, reporter } from './repeated-failures.ts'

/**
 * A job that begins again `everyMs` milliseconds after it has ended. `stopping` is aborted when the process stops; a job that works
 * in batches then leaves the rest to another process. `firstMs`: a shorter delay after the start, for a job that users wait for.
 */
export type Job = { name: string; everyMs: number; firstMs?: number; run: (stopping: AbortSignal) => Promise<void> }

const words = {
  level: 'error',
  failed: 'a periodic job failed; it runs again at its next turn',
  again: 'a periodic job succeeded again',
} as const

/** Starts the jobs; `ended` is called whenever a job has ended. The returned function stops the jobs and waits for running ones. */
export function startPeriodic(
  jobs: Job[],
  log: Log,
  ended: (job: string, isDone: boolean) => void = () => undefined,
): () => Promise<void> {
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const schedule = (job: Job, report: Report, dueMs = job.everyMs): void => {
    if (stopping.signal.aborted) return
    // The delay varies by a tenth, so that processes that were started together do not all run their jobs at the same moment.
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        const turn = once(job, stopping.signal, report).then((isDone) => {
          ended(job.name, isDone)
          running.delete(turn)
          schedule(job, report)
        })
        running.add(turn)
      },
      dueMs * (0.95 + Math.random() / 10),
    )
    timers.add(timer)
  }
  for (const job of jobs) schedule(job, reporter(log, words, { job: job.name }), job.firstMs)

  return async () => {
    stopping.abort()
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(running)
  }
}

/** Executes a job once; returns whether the job succeeded. */
async function once(job: Job, stopping: AbortSignal, report: Report): Promise<boolean> {
  try {
    await job.run(stopping)
    report(null)
    return true
  } catch (error) {
    report(error)
    return false
  }
}
