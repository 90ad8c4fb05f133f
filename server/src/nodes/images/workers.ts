// In charge of the processes that work on pictures. Native libraries heed no limit of ours and stop for no signal in
// words: a process can be ended, whatever it is in the middle of, and takes nothing of the service with it.
import type { ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { NodeFailure } from '../node-type.ts'
import { ask, type Ending } from '../processes/ask.ts'
import { createPool } from '../processes/pool.ts'
import { ChildBroken, startChild } from '../processes/start.ts'
import type { PictureAnswer, PictureJob } from './answering.ts'
import type { PictureMessage } from './child.ts'
import type { Converted, ConvertJob, CropJob, ResizeJob } from './jobs.ts'
import type { LayoutJob } from './layout/render.ts'
import { pictureLimits, tooBig, tooSlow } from './limits.ts'
import type { Checked } from './manifest.ts'
import type { Composed, Marked, MarkJob } from './marking.ts'
import type { CheckJob, SignJob } from './sign.ts'

type Inspected = { format: string; width: number; height: number; hasAlpha: boolean }

export type PictureWorkers = {
  layout(job: LayoutJob, signal: AbortSignal): Promise<Composed>
  resize(job: ResizeJob, signal: AbortSignal): Promise<Uint8Array[]>
  crop(job: CropJob, signal: AbortSignal): Promise<Uint8Array>
  convert(job: ConvertJob, signal: AbortSignal): Promise<Converted>
  /** The PNG of an SVG of our own. */
  draw(svg: string, signal: AbortSignal): Promise<Uint8Array>
  /** A picture that a model made, with that written into it. */
  mark(job: MarkJob, signal: AbortSignal): Promise<Marked>
  /** A picture with content credentials in it. */
  sign(job: SignJob, signal: AbortSignal): Promise<Uint8Array>
  /** What the content credentials of a picture say. */
  check(job: CheckJob, signal: AbortSignal): Promise<Checked>
  /** The term of the digital source type that a picture names; null where it names none. */
  sourceType(picture: Uint8Array, signal: AbortSignal): Promise<string | null>
  /** The picture as lists show it: a small WebP. */
  thumbnail(picture: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
  /** What a picture is, by its bytes. */
  inspect(picture: Uint8Array, signal: AbortSignal): Promise<Inspected>
}

type Options = { most?: number; file?: URL; seconds?: number; megabytes?: number }

type Limits = { seconds: number; megabytes: number }

/** Idle for so long, or having used so much, a child makes way for a fresh one. */
const idleMs = 120_000
const mostCpuSeconds = 600

/** Where fonts are looked for, and libraries on systems that keep them elsewhere. */
const environment = ['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'XDG_DATA_HOME']

/** Processes begin with the first work. An aborted call ends its process. */
export function createPictureWorkers({
  most = Math.min(4, availableParallelism()),
  file = new URL('./child.ts', import.meta.url),
  seconds = pictureLimits.seconds,
  megabytes = pictureLimits.megabytes,
}: Options = {}): PictureWorkers {
  // Beyond what it may hold, it may have reserved some that it never touched.
  const limits = { megabytes: 1024, data: megabytes + 1024, cpuSeconds: mostCpuSeconds * 2 }
  const pool = createPool(most, idleMs, () =>
    startChild({ file, args: [String(megabytes)], limits, native: true, environment }),
  )

  const run = async <T>(job: PictureJob, signal: AbortSignal): Promise<T> => {
    const child = await pool.take(signal).catch((error: unknown) => {
      if (!(error instanceof ChildBroken)) throw error
      throw new NodeFailure(`Pictures cannot be worked on here: ${error.message}`, { cause: error })
    })
    const { answer, cpu } = await answerOf<T>(child, job, { seconds, megabytes }, signal)
    pool.giveBack(child, cpu < mostCpuSeconds)
    if ('failure' in answer) throw new NodeFailure(answer.failure)
    if ('bug' in answer) throw new Error(answer.bug)
    return answer.result
  }
  return {
    layout: (job, signal) => run({ name: 'layout', job }, signal),
    resize: (job, signal) => run({ name: 'resize', job }, signal),
    crop: (job, signal) => run({ name: 'crop', job }, signal),
    convert: (job, signal) => run({ name: 'convert', job }, signal),
    draw: (svg, signal) => run({ name: 'draw', job: { svg } }, signal),
    mark: (job, signal) => run({ name: 'mark', job }, signal),
    sign: (job, signal) => run({ name: 'sign', job }, signal),
    check: (job, signal) => run({ name: 'check', job }, signal),
    sourceType: (picture, signal) => run({ name: 'sourceType', job: { picture } }, signal),
    thumbnail: (picture, signal) => run({ name: 'thumbnail', job: { picture } }, signal),
    inspect: (picture, signal) => run({ name: 'inspect', job: { picture } }, signal),
  }
}

/** The answer to one job. Reading what somebody has made is ended when its time is over, in words. */
function answerOf<T>(child: ChildProcess, job: PictureJob, limits: Limits, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined
  const answered = ask<PictureMessage<T>, { answer: PictureAnswer<T>; cpu: number }>(child, {
    message: job,
    signal,
    heard: (message, end) => {
      clearTimeout(timer)
      if ('answer' in message) return message
      if (message.reading)
        timer = setTimeout(() => end(new NodeFailure(tooSlow(limits.seconds))), limits.seconds * 1000)
      return undefined
    },
    ended: (ending) => failureOf(ending, limits),
  })
  return answered.finally(() => clearTimeout(timer))
}

/** Allocations that fail abort a library; a SIGKILL that is not ours is the child's own or the system's, for memory too. */
const memorySignals = ['SIGABRT', 'SIGTRAP', 'SIGKILL', 'SIGILL']

function failureOf({ code, signal }: Ending, { megabytes }: Limits): Error {
  if (code !== null) return new Error(`A process that works on pictures ended by itself (${code}).`)
  if (memorySignals.includes(signal ?? '')) return new NodeFailure(tooBig(megabytes))
  return new NodeFailure(`The picture broke the program that works on it (${signal}). Save it in another format first.`)
}
