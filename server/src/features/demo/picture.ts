// In charge of storing the demo's files as if they had been uploaded: the ads of the demo's creatives, and the picture that the
// graph for translations takes as its input.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { readPhoto } from '../../nodes/images/photos.ts'
import type { FileStore } from '../../platform/file-store.ts'
import { adFile, demoAds } from './ads.ts'

export async function keepApproved(files: FileStore): Promise<FileValue> {
  const { digest, media_type, size } = await files.put(Readable.from([readPhoto('bed')]), 'image/jpeg')
  return { digest, media_type, size, name: 'approved.jpg' }
}

/** The digests of each task's ads, by the key of the task. */
export type KeptAds = ReadonlyMap<string, readonly string[]>

export async function keepAds(files: FileStore): Promise<KeptAds> {
  const keep = async (name: string): Promise<string> => {
    const bytes = await readFile(join(import.meta.dirname, 'ads', name))
    return (await files.put(Readable.from([bytes]), 'image/webp')).digest
  }
  const kept = Object.entries(demoAds).map(async ([key, ads = []]) => {
    return [key, await Promise.all(ads.map((_, at) => keep(adFile(key, at + 1))))] as const
  })
  return new Map(await Promise.all(kept))
}
