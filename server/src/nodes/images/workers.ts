// In charge of the child processes that work on pictures. Work of a native library cannot be stopped, neither by a limit nor by an
// abort signal; but the process in which it runs can be killed at any moment without harm to the service.
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
import { memorySignal, pictureLimits, tooBig, tooSlow } from './limits.ts'
import type { Checked } from './manifest.ts'
import type { Composed, Marked, MarkJob } from './marking.ts'
import type { CheckJob, SignJob } from './sign.ts'

type Inspected = { format: string; width: number; height: number; hasAlpha: boolean }

export type PictureWorkers = {
  layout(job: LayoutJob, signal: AbortSignal): Promise<Composed>
  resize(job: ResizeJob, signal: AbortSignal): Promise<Uint8Array[]>
  crop(job: CropJob, signal: AbortSignal): Promise<Uint8Array>
  convert(job: ConvertJob, signal: AbortSignal): Promise<Converted>
  /** Renders an SVG from our own code to a PNG. */
  draw(svg: string, signal: AbortSignal): Promise<Uint8Array>
  /** Writes the origin into a picture that a model made. */
  mark(job: MarkJob, signal: AbortSignal): Promise<Marked>
  /** Adds content credentials to a picture. */
  sign(job: SignJob, signal: AbortSignal): Promise<Uint8Array>
  /** Reads what the content credentials of a picture say. */
  check(job: CheckJob, signal: AbortSignal): Promise<Checked>
  /** A thumbnail of the picture for lists: a small WebP. */
  thumbnail(picture: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
  /** The format and size of a picture, as its bytes say. */
  inspect(picture: Uint8Array, signal: AbortSignal): Promise<Inspected>
}

/** Thrown if no process for pictures can be started. That says nothing about the picture, so a later attempt may succeed. */
class PicturesUnavailable extends NodeFailure {}

/** Thrown if the process was ended from outside, by a person or by a system without free memory. */
class PictureInterrupted extends PicturesUnavailable {}

/** Thrown if decoding a picture took too long. */
class PictureTooSlow extends NodeFailure {}

/**
 * Whether a job failed for a reason that can lie in its picture or in the machine: the process was ended from outside, or was slow.
 * A second attempt tells more.
 */
export const isUncertain = (error: unknown): error is NodeFailure =>
  error instanceof PictureInterrupted || error instanceof PictureTooSlow

/** Does a job, and once more if the first attempt failed for a reason that is uncertain. */
export const twiceIfUncertain = <T>(job: () => Promise<T>): Promise<T> =>
  job().catch((error: unknown) => {
    if (isUncertain(error)) return job()
    throw error
  })

/**
 * Whether a job failed for a reason that need not lie in its picture: no process could be started, none was free in time, or the
 * process was ended from outside.
 */
export const isTemporary = (error: unknown): boolean =>
  error instanceof PicturesUnavailable || (error instanceof DOMException && error.name === 'TimeoutError')

type Options = { most?: number; file?: URL; seconds?: number; megabytes?: number }

type Limits = { seconds: number; megabytes: number }

/**
 * A child process is killed after `idleMs` without a job. It is also killed at the end of a job if it has used `mostCpuSeconds`
 * of processor time since its start. A new child starts when a job needs one.
 */
const idleMs = 120_000
const mostCpuSeconds = 600

/** The environment variables that native libraries read: where fonts, other libraries and temporary files are. */
const environment = ['FONTCONFIG_FILE', 'FONTCONFIG_PATH', 'LD_LIBRARY_PATH', 'TMPDIR', 'XDG_DATA_HOME']

/** At most `most` processes exist; each starts when a job needs it. If a job is aborted, the process that works on it is killed. */
export function createPictureWorkers({
  most = Math.min(4, availableParallelism()),
  file = new URL('./child.ts', import.meta.url),
  seconds = pictureLimits.seconds,
  megabytes = pictureLimits.megabytes,
}: Options = {}): PictureWorkers {
  // `data` limits the memory that a process has reserved. It is higher than the option `megabytes`, which limits the memory that a
  // process uses, because libraries reserve more memory than they use.
  const limits = { megabytes: 1024, data: megabytes + 1024, cpuSeconds: mostCpuSeconds * 2 }
  const pool = createPool(most, idleMs, () =>
    startChild({ file, args: [String(megabytes)], limits, native: true, environment }),
  )

  const run = async <T>(job: PictureJob, signal: AbortSignal): Promise<T> => {
    const child = await pool.take(signal).catch((error: unknown) => {
      if (!(error instanceof ChildBroken)) throw error
      throw new PicturesUnavailable(`Pictures cannot be worked on here: ${error.message}`, { cause: error })
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
    thumbnail: (picture, signal) => run({ name: 'thumbnail', job: { picture } }, signal),
    inspect: (picture, signal) => run({ name: 'inspect', job: { picture } }, signal),
  }
}

/** The result of one job. If decoding a file takes too long, the process is killed, and the job fails. */
function answerOf<T>(child: ChildProcess, job: PictureJob, limits: Limits, signal: AbortSignal) {
  let timer: NodeJS.Timeout | undefined
  const answered = ask<PictureMessage<T>, { answer: PictureAnswer<T>; cpu: number }>(child, {
    message: job,
    signal,
    heard: (message, end) => {
      clearTimeout(timer)
      if ('answer' in message) return message
      if (message.reading)
        timer = setTimeout(() => end(new PictureTooSlow(tooSlow(limits.seconds))), limits.seconds * 1000)
      return undefined
    },
    ended: (ending) => failureOf(ending, limits),
  })
  return answered.finally(() => clearTimeout(timer))
}

/** If a process ends by one of these signals, it needed too much memory. Code that cannot allocate memory aborts its process. */
const memorySignals = [memorySignal, 'SIGABRT', 'SIGTRAP', 'SIGILL']
/**
 * If a process ends by one of these signals, and this file did not send it, the reason need not lie in the picture. A terminal and
 * systemd send them to all processes of a service that stops; a system without free memory sends SIGKILL.
 */
const outsideSignals = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP']

function failureOf({ code, signal }: Ending, { megabytes }: Limits): Error {
  if (code !== null) return new Error(`A process that works on pictures ended by itself (${code}).`)
  if (memorySignals.includes(signal ?? '')) return new NodeFailure(tooBig(megabytes))
  if (outsideSignals.includes(signal ?? '')) {
    const why = 'perhaps because the machine had too little memory'
    return new PictureInterrupted(`The process that worked on the picture was ended from outside, ${why}. Try again.`)
  }
  return new NodeFailure(`The picture broke the program that works on it (${signal}). Save it in another format first.`)
}
