// In charge of listing stores for backups: also where a disk cannot read all of one, and to know how much room a copy needs.
import { type ByteStore, type Placed, pathOf } from '../byte-store.ts'
import { Unreadable } from '../file-folder.ts'

/** Lists the files of a store. `tell` is called with the names in `Unreadable` of what the disk cannot read. */
export async function* listed(
  store: ByteStore,
  tell: (name: string) => void = () => undefined,
): AsyncGenerator<Placed> {
  try {
    yield* store.list()
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    error.names.forEach(tell)
  }
}

/** Whether a file is one of those that these names stand for: by its digest, or by a folder that it lies in. */
export const isAmong = (names: ReadonlySet<string>, digest: string): boolean =>
  names.has(digest) || foldersOf(digest).some((folder) => names.has(folder))

/** The folders that a file lies in: `ab/` and `ab/cd/`. */
const foldersOf = (digest: string): string[] => [pathOf(digest).slice(0, 3), pathOf(digest).slice(0, 6)]

/** Most file systems give a file, and a folder, whole blocks of this size. */
const block = 4096
/** An archive of tar has a header of this size for each file and folder, and the bytes of a file filled up to a multiple of it. */
const record = 512

/** Returns how many bytes a copy of a store takes as a folder, and in an archive. */
export async function roomForCopy(store: ByteStore): Promise<Record<'folder' | 'archive', number>> {
  const folders = new Set<string>()
  const room = { folder: 0, archive: 0 }
  for await (const { digest, size } of listed(store)) {
    for (const folder of foldersOf(digest)) folders.add(folder)
    room.folder += wholes(size, block)
    room.archive += record + wholes(size, record)
  }
  return { folder: room.folder + folders.size * block, archive: room.archive + folders.size * record }
}

const wholes = (size: number, unit: number): number => Math.ceil(size / unit) * unit
