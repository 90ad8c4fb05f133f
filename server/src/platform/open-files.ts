// In charge of opening the store of files that the settings name: a folder, or a bucket of object storage.
import { join } from 'node:path'
import type { ByteStore } from './byte-store.ts'
import type { Config } from './config.ts'
import { parseBucket } from './config-values.ts'
import { fileBucket } from './file-bucket.ts'
import { fileFolder } from './file-folder.ts'

type Settings = Pick<Config, 'files' | 'dataDir' | 's3PathStyle' | 'fileLinks'>

/** The store at a folder's path or an address `s3://bucket/prefix`. */
export function openFilesAt(address: string, { dataDir, s3PathStyle, fileLinks }: Omit<Settings, 'files'>): ByteStore {
  const place = parseBucket(address)
  if (place === null) return fileFolder(address)
  const incoming = join(dataDir, 'incoming')
  return fileBucket({ place, incoming, isPathStyle: s3PathStyle, handsOutLinks: fileLinks === 'store' })
}

export const openFiles = ({ files, ...settings }: Settings): ByteStore =>
  openFilesAt(files ?? join(settings.dataDir, 'files'), settings)

/** From where browsers get files that the store hands out itself; null where it hands out none. */
export async function originOfLinks(settings: Settings): Promise<string | null> {
  const link = await openFiles(settings).linkTo('', { mediaType: 'image/png', disposition: 'inline' })
  return link === null ? null : new URL(link).origin
}
