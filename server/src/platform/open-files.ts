// In charge of opening the file store that the settings configure: a folder, or a bucket of an object store.
import { join } from 'node:path'
import type { ByteStore } from './byte-store.ts'
import type { Config } from './config.ts'
import { parseBucket } from './config-values.ts'
import { fileBucket } from './file-bucket.ts'
import { fileFolder } from './file-folder.ts'

type Settings = Pick<Config, 'files' | 'dataDir' | 's3PathStyle' | 'fileLinks'>

/** Opens the store at an address, which is the path of a folder or has the form `s3://bucket/prefix`. */
export function openFilesAt(address: string, { dataDir, s3PathStyle, fileLinks }: Omit<Settings, 'files'>): ByteStore {
  const place = parseBucket(address)
  if (place === null) return fileFolder(address)
  const incoming = join(dataDir, 'incoming')
  return fileBucket({ place, incoming, isPathStyle: s3PathStyle, handsOutLinks: fileLinks === 'store' })
}

export const openFiles = ({ files, ...settings }: Settings): ByteStore =>
  files === null ? fileFolder(join(settings.dataDir, 'files'), 'ATELIER_DATA_DIR') : openFilesAt(files, settings)

/** Returns the origin of the links with which browsers load files from the store itself; null if the store makes no such links. */
export async function originOfLinks(settings: Settings): Promise<string | null> {
  const link = await openFiles(settings).linkTo('', { mediaType: 'image/png', disposition: 'inline' })
  return link === null ? null : new URL(link).origin
}
