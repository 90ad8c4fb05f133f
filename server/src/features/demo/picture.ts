// In charge of the picture that the demo has of an approved creative: drawn, and kept like an uploaded file.
import { Readable } from 'node:stream'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { drawPicture } from '../../nodes/images/drawn.ts'
import { drawSample } from '../../nodes/images/sample-picture.ts'
import { seeded } from '../../nodes/seeded.ts'
import type { FileStore } from '../../platform/file-store.ts'

export async function keepApproved(files: FileStore): Promise<FileValue> {
  const svg = drawSample({ words: null, width: 1080, height: 1350, chance: seeded('5eed0007') })
  const { digest, media_type, size } = await files.put(Readable.from([await drawPicture({ svg })]), 'image/png')
  return { digest, media_type, size, name: 'approved.png' }
}
