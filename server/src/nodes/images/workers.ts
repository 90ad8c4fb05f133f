// In charge of the threads that work on pictures: heartbeats and requests do not wait for them.
import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { NodeFailure } from '../node-type.ts'
import type { Converted, ConvertJob, CropJob, ResizeJob } from './jobs.ts'
import type { LayoutJob } from './layout/render.ts'
import type { Answer } from './worker.ts'

export type Inspected = { format: string; width: number; height: number; hasAlpha: boolean }

export type PictureWorkers = {
  layout(job: LayoutJob, signal: AbortSignal): Promise<Uint8Array>
  resize(job: ResizeJob, signal: AbortSignal): Promise<Uint8Array[]>
  crop(job: CropJob, signal: AbortSignal): Promise<Uint8Array>
  convert(job: ConvertJob, signal: AbortSignal): Promise<Converted>
  /** The PNG of an SVG of our own. */
  draw(svg: string, signal: AbortSignal): Promise<Uint8Array>
  /** What a picture is, by its bytes. */
  inspect(picture: Uint8Array, signal: AbortSignal): Promise<Inspected>
}

type Pool = { piscina: Piscina; broken: Promise<never> }

/**
 * Threads begin with the first work and end after two minutes without any; idle ones keep no process alive. An aborted
 * call ends its thread, whatever that is in the middle of.
 */
export function createPictureWorkers(
  threads = Math.min(4, availableParallelism()),
  file = new URL('./worker.ts', import.meta.url),
): PictureWorkers {
  let pool: Pool | null = null

  // A thread that cannot even begin (a library that is missing on this machine) tells the pool, and leaves its calls waiting.
  const open = (): Pool => {
    const { promise: broken, reject } = Promise.withResolvers<never>()
    broken.catch(() => undefined)
    const piscina = new Piscina({ filename: file.href, minThreads: 0, maxThreads: threads, idleTimeout: 120_000 })
    piscina.on('error', (cause: Error) => {
      pool = null
      reject(new NodeFailure(`Pictures cannot be worked on here: ${cause.message}`, { cause }))
      void piscina.destroy().catch(() => undefined)
    })
    return { piscina, broken }
  }
  const ask = async <T>(name: string, job: unknown, signal: AbortSignal): Promise<T> => {
    signal.throwIfAborted()
    pool ??= open()
    const answer: Answer<T> = await Promise.race([pool.piscina.run(job, { name, signal }), pool.broken])
    if ('failure' in answer) throw new NodeFailure(answer.failure)
    return answer.result
  }
  return {
    layout: (job, signal) => ask('layout', job, signal),
    resize: (job, signal) => ask('resize', job, signal),
    crop: (job, signal) => ask('crop', job, signal),
    convert: (job, signal) => ask('convert', job, signal),
    draw: (svg, signal) => ask('draw', { svg }, signal),
    inspect: (picture, signal) => ask('inspect', { picture }, signal),
  }
}
