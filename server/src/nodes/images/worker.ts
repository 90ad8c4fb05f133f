// In charge of a thread that works on pictures: what it can be asked for, by name.
import { NodeFailure } from '../node-type.ts'
import {
  type ConvertJob,
  type CropJob,
  convertPicture,
  cropPicture,
  inspectPicture,
  type ResizeJob,
  resizePicture,
} from './jobs.ts'
import { type LayoutJob, renderLayout } from './layout/render.ts'
import { pictureFailure } from './open.ts'
import { rasterize } from './rasterize.ts'

/** A failure in words crosses between threads as words: an error would arrive as another class. */
export type Answer<T> = { result: T } | { failure: string }

async function answered<T>(work: Promise<T>): Promise<Answer<T>> {
  try {
    return { result: await work }
  } catch (error) {
    const failure = pictureFailure(error)
    if (failure instanceof NodeFailure) return { failure: failure.message }
    throw failure
  }
}

export const layout = (job: LayoutJob) => answered(renderLayout(job))
export const resize = (job: ResizeJob) => answered(resizePicture(job))
export const crop = (job: CropJob) => answered(cropPicture(job))
export const convert = (job: ConvertJob) => answered(convertPicture(job))
export const inspect = (job: { picture: Uint8Array }) => answered(inspectPicture(job))
export const draw = (job: { svg: string }) => answered(rasterize(job))
