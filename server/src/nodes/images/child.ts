// In charge of a process that works on pictures, one job at a time. If a library is missing on the machine, it reports that.
import type { Greeting } from '../processes/start.ts'
import type { PictureAnswer, PictureJob } from './answering.ts'

/** `reading`: whether the process is decoding a file of unknown origin. `cpu`: processor seconds used by the process so far. */
export type PictureMessage<T> = { reading: boolean } | { answer: PictureAnswer<T>; cpu: number }

/**
 * Milliseconds between two measurements of the process's memory. Native code runs on other threads, and no heap limit counts the
 * memory that it uses.
 */
const lookMs = 100
const mostBytes = Number(process.argv[2]) * 1024 * 1024

const tell = (message: PictureMessage<unknown> | Greeting): void => void process.send?.(message)

/** Kills the process with a signal, because `process.exit` would wait for native code to end. */
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
  // The process has nothing to do without its parent.
  process.on('disconnect', end)
  tell({ ready: true })
} catch (error) {
  tell({ broken: error instanceof Error ? error.message : String(error) })
}
