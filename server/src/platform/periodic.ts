// In charge of running periodic jobs, which are idempotent and have no input; in each process, a job never runs twice at a time.
import type { Log } from './log.ts'

/**
 * A job that begins again `everyMs` milliseconds after it has ended. `stopping` is aborted when the process stops; a job that works
 * in batches then leaves the rest to another process. `firstMs`: a shorter delay after the start, for a job that users wait for.
 */
export type Job = { name: string; everyMs: number; firstMs?: number; run: (stopping: AbortSignal) => Promise<void> }

/** Starts the jobs; `ended` is called whenever a job has ended. The returned function stops the jobs and waits for running ones. */
export function startPeriodic(
  jobs: Job[],
  log: Log,
  ended: (job: string, isDone: boolean) => void = () => undefined,
): () => Promise<void> {
  const stopping = new AbortController()
  const report = reporter(log)
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  const schedule = (job: Job, dueMs = job.everyMs): void => {
    if (stopping.signal.aborted) return
    // The delay varies by a tenth, so that processes that were started together do not all run their jobs at the same moment.
    const timer = setTimeout(
      () => {
        timers.delete(timer)
        const turn = once(job, stopping.signal, report).then((isDone) => {
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

/** Executes a job once; returns whether the job succeeded. */
async function once(job: Job, stopping: AbortSignal, report: Report): Promise<boolean> {
  try {
    await job.run(stopping)
    report(job.name, null)
    return true
  } catch (error) {
    report(job.name, error)
    return false
  }
}

type Report = (job: string, error: unknown) => void

/** For this long, in ms, the same failure of a job is not logged again. */
const quietMs = 3_600_000

/**
 * Returns a function that logs how a turn of a job ended. A failure that repeats, as on a full disk or without a database, is logged
 * once an hour and when it is over, because some jobs have a turn each second.
 */
function reporter(log: Log): Report {
  const failures = new Map<string, { kind: string; loggedAt: number; turns: number }>()
  return (job, error) => {
    const last = failures.get(job)
    if (error === null) {
      if (!last) return
      failures.delete(job)
      log.info({ job, turns: last.turns }, 'a periodic job succeeded again')
      return
    }
    const kind = kindOf(error)
    const turns = (last?.turns ?? 0) + 1
    const isKnown = last?.kind === kind && performance.now() - last.loggedAt < quietMs
    failures.set(job, { kind, turns, loggedAt: isKnown ? last.loggedAt : performance.now() })
    if (!isKnown) log.error({ err: error, job, turns }, 'a periodic job failed; it runs again at its next turn')
  }
}

/** Two failures with the same code are the same, even if their messages differ in a number. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error ? `${error.name} ${error.code}` : `${error.name} ${error.message}`
}
