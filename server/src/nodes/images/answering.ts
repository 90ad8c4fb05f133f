// In charge of what a process for pictures can be asked for, by name.
import { NodeFailure } from '../node-type.ts'
import { drawPicture } from './drawn.ts'
import {
  type ConvertJob,
  type CropJob,
  convertPicture,
  cropPicture,
  inspectPicture,
  type ResizeJob,
  resizePicture,
  thumbnailPicture,
} from './jobs.ts'
import type { LayoutJob } from './layout/render.ts'
import { composeLayout, type MarkJob, markPicture } from './marking.ts'
import { pictureFailure, type Reading } from './open.ts'
import { marksOf } from './read-marks.ts'
import { type CheckJob, checkPicture, type SignJob, signPicture } from './sign.ts'

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
  | { name: 'sourceType'; job: { picture: Uint8Array } }
  | { name: 'thumbnail'; job: { picture: Uint8Array } }

/** A failure in words crosses between processes as words: an error would arrive as another class. */
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

function work(asked: PictureJob, reading: Reading): Promise<unknown> {
  switch (asked.name) {
    case 'layout':
      return composeLayout(asked.job, reading)
    case 'resize':
      return resizePicture(asked.job, reading)
    case 'crop':
      return cropPicture(asked.job, reading)
    case 'convert':
      return convertPicture(asked.job, reading)
    case 'inspect':
      return inspectPicture(asked.job, reading)
    case 'thumbnail':
      return thumbnailPicture(asked.job, reading)
    case 'mark':
      return markPicture(asked.job, reading)
    case 'draw':
      return drawPicture(asked.job)
    case 'sign':
      return reading(() => signPicture(asked.job))
    case 'check':
      return reading(() => checkPicture(asked.job))
    case 'sourceType':
      return reading(async () => (await marksOf(asked.job.picture)).sourceType)
  }
}
