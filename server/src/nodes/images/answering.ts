// In charge of executing a job in a picture process: finds the function for the job's name, and returns errors as text.

import { wordsOf } from '../../platform/operator-error.ts'
import { NodeFailure } from '../node-type.ts'
import type { ConvertJob, CropJob, ResizeJob } from './jobs.ts'
import type { LayoutJob } from './layout/render.ts'
import type { MarkJob } from './marking.ts'
import { pictureFailure, type Reading } from './open.ts'
import type { CheckJob, SignJob } from './sign.ts'
import { thumbnailPicture } from './thumbnail.ts'

export type PictureJob =
  | { name: 'layout'; job: LayoutJob }
  | { name: 'resize'; job: ResizeJob }
  | { name: 'crop'; job: CropJob }
  | { name: 'convert'; job: ConvertJob }
  | { name: 'inspect'; job: { picture: Uint8Array } }
  | { name: 'mark'; job: MarkJob }
  | { name: 'draw'; job: { svg: string } }
  | { name: 'sign'; job: SignJob }
  | { name: 'check'; job: CheckJob }
  | { name: 'thumbnail'; job: { picture: Uint8Array } }

/**
 * The result of a job. An error is sent as text, because it would lose its class on the way to another process: as `failure`, the
 * message for the user, if it is a `NodeFailure`, and as `bug`, its stack, if it is any other error.
 */
export type PictureAnswer<T> = { result: T } | { failure: string } | { bug: string }

export async function answer(asked: PictureJob, reading: Reading): Promise<PictureAnswer<unknown>> {
  try {
    return { result: await work(asked, reading) }
  } catch (error) {
    const failure = pictureFailure(error)
    if (failure instanceof NodeFailure) return { failure: failure.message }
    return { bug: failure instanceof Error ? (failure.stack ?? failure.message) : String(failure) }
  }
}

/** Executes a job. Its libraries are imported only here, so that a thumbnail does not wait for libraries of other jobs. */
async function work(asked: PictureJob, reading: Reading): Promise<unknown> {
  switch (asked.name) {
    case 'thumbnail':
      return thumbnailPicture(asked.job, reading)
    case 'layout':
      return (await loaded(import('./marking.ts'))).composeLayout(asked.job, reading)
    case 'mark':
      return (await loaded(import('./marking.ts'))).markPicture(asked.job, reading)
    case 'resize':
      return (await loaded(import('./jobs.ts'))).resizePicture(asked.job, reading)
    case 'crop':
      return (await loaded(import('./jobs.ts'))).cropPicture(asked.job, reading)
    case 'convert':
      return (await loaded(import('./jobs.ts'))).convertPicture(asked.job, reading)
    case 'inspect':
      return (await loaded(import('./jobs.ts'))).inspectPicture(asked.job, reading)
    case 'draw':
      return (await loaded(import('./drawn.ts'))).drawPicture(asked.job)
    case 'sign': {
      const { signPicture } = await loaded(import('./sign.ts'))
      return reading(() => signPicture(asked.job))
    }
    case 'check': {
      const { checkPicture } = await loaded(import('./sign.ts'))
      return reading(() => checkPicture(asked.job))
    }
  }
}

/** Waits for an import. If a library is missing on this machine, throws a failure with a message for people. */
const loaded = <T>(loading: Promise<T>): Promise<T> =>
  loading.catch((error: unknown) => {
    const why = wordsOf(error)
    throw new NodeFailure(`Pictures cannot be worked on here: ${why}`, { cause: error })
  })
