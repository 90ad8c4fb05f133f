// In charge of the params that the picture nodes share, and of reading the pictures at their inputs.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import Type from 'typebox'
import { File, needs } from '../define.ts'
import { NodeFailure, type NodeFiles } from '../node-type.ts'
import type { Focus, PictureFormat } from './jobs.ts'
import { pictureLimits } from './limits.ts'

export const pictureInput = needs({ title: 'Picture', description: 'The picture to work on.', schema: File })

export const focusParam = Type.Unsafe<Focus>({
  type: 'string',
  enum: ['attention', 'centre', 'top', 'bottom', 'left', 'right'],
  title: 'Keep',
  description: 'What stays where something must be cut off. “attention” finds faces, colour and contrast.',
  default: 'attention',
})

export const formatParam = (value: PictureFormat) =>
  Type.Unsafe<PictureFormat>({
    type: 'string',
    enum: ['jpeg', 'png', 'webp', 'avif'],
    title: 'Format',
    description:
      'JPEG for photos, PNG for flat colours and transparency, WebP and AVIF where the placement takes them.',
    default: value,
  })

export const qualityParam = Type.Integer({
  title: 'Quality',
  description: 'From 30 to 100. PNG keeps everything at 100 and uses fewer colours below.',
  default: 90,
  minimum: 30,
  maximum: 100,
})

/** Reads the bytes of a picture. Throws if the file is larger than pictures may be. */
export async function readPicture(file: FileValue, files: NodeFiles): Promise<Uint8Array> {
  if (file.size > pictureLimits.bytes) {
    throw new NodeFailure(`${file.name ?? 'The file'} has ${file.size} bytes; ${pictureLimits.bytes} is the most.`)
  }
  return files.read(file.digest)
}

/** The name of a picture that is made from `file`: `flask.jpg` with the addition `-300x250` becomes `flask-300x250.png`. */
export function nameFor(file: FileValue, addition: string, format: PictureFormat): string {
  const [, stem = 'picture'] = /^(.{1,80}?)(?:\.[a-z0-9]{1,5})?$/i.exec(file.name ?? '') ?? []
  return `${stem}${addition}.${format === 'jpeg' ? 'jpg' : format}`
}
