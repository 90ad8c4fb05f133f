// In charge of a process that works on pictures, one job at a time. What it loads may be missing on a machine: it says so.
import type { Greeting } from '../processes/start.ts'
import type { PictureAnswer, PictureJob } from './answering.ts'

/** `reading` is whether it is at something that somebody has made; `cpu` what the process used so far, in seconds. */
export type PictureMessage<T> = { reading: boolean } | { answer: PictureAnswer<T>; cpu: number }

/** Native work takes memory that no heap limit counts, and goes on where this thread is free to look. */
const lookMs = 100
const mostBytes = Number(process.argv[2]) * 1024 * 1024

const tell = (message: PictureMessage<unknown> | Greeting): void => void process.send?.(message)

/** Not by `process.exit`, which waits for native work to end. */
const end = (): void => void process.kill(process.pid, 'SIGKILL')

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

try {
  const { answer } = await import('./answering.ts')
  let readings = 0
  const reading = async <T>(work: () => Promise<T>): Promise<T> => {
    if (readings++ === 0) tell({ reading: true })
    try {
      return await work()
    } finally {
      if (--readings === 0) tell({ reading: false })
    }
  }
  setInterval(() => {
    if (process.memoryUsage.rss() > mostBytes) end()
  }, lookMs)
  process.on('message', (job: PictureJob) => {
    void answer(job, reading).then((answered) => tell({ answer: answered, cpu: cpuSeconds() }))
  })
  // Without a parent there is nothing to do.
  process.on('disconnect', end)
  tell({ ready: true })
} catch (error) {
  tell({ broken: error instanceof Error ? error.message : String(error) })
}
