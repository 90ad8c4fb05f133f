// In charge of a child process that works on pictures, one job at a time. If it cannot start, it tells its parent why.

import { wordsOf } from '../../platform/operator-error.ts'
import type { Greeting } from '../processes/start.ts'
import type { PictureAnswer, PictureJob } from './answering.ts'
import { memorySignal } from './limits.ts'

/** `reading`: decoding a file of unknown origin begins (true) or ends (false). `cpu`: processor seconds used since the start. */
export type PictureMessage<T> = { reading: boolean } | { answer: PictureAnswer<T>; cpu: number }

/**
 * Milliseconds between two measurements of this process's memory. They are needed because no heap limit counts the memory of native
 * code. They also happen during a job, because its native code runs on other threads.
 */
const lookMs = 100
const mostBytes = Number(process.argv[2]) * 1024 * 1024

const tell = (message: PictureMessage<unknown> | Greeting): void => void process.send?.(message)

/** Ends this process by a signal, because `process.exit` would wait for native code to end. */
const end = (signal: NodeJS.Signals): void => void process.kill(process.pid, signal)

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
    if (process.memoryUsage.rss() > mostBytes) end(memorySignal)
  }, lookMs)
  process.on('message', (job: PictureJob) => {
    void answer(job, reading).then((answered) => tell({ answer: answered, cpu: cpuSeconds() }))
  })
  // The connection to the parent process is closed, so no further job can come.
  process.on('disconnect', () => end('SIGKILL'))
  tell({ ready: true })
} catch (error) {
  tell({ broken: wordsOf(error) })
}
