// In charge of copying stored files from one store to another; the digest of each copy is checked.
import { createHash } from 'node:crypto'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { type ByteStore, filesUnavailable, type Placed } from '../byte-store.ts'
import { isOfDisk } from '../file-folder.ts'
import { isAmong, listed } from './listing.ts'

/**
 * `count` and `bytes`: number and total size of those files of the source that the target has at the end. `copied`: how many of
 * these were copied by this call. `damaged`: the digests of files that were not copied because their bytes have another digest.
 * `unreadable`: the names, as in `Unreadable`, of what was not copied because the disk of the source or of the target cannot read it.
 */
export type Copied = { count: number; bytes: number; copied: number; damaged: string[]; unreadable: string[] }

const atOnce = 4

/**
 * Copies the files that the target lacks, or has in another size, or that are among `damagedThere`. A file that disappears from the
 * source meanwhile is skipped. After a failure, throws only once nothing is being written any more, so that the caller can remove
 * the target.
 */
export async function copyFiles(
  from: ByteStore,
  to: ByteStore,
  damagedThere: ReadonlySet<string> = new Set(),
): Promise<Copied> {
  const there = new Map<string, number>()
  // Nothing can be put in the place of what the disk of the target cannot read, or into a folder that it cannot read.
  const unreadableThere = new Set<string>()
  for await (const { digest, size } of listed(to, (name) => unreadableThere.add(name)))
    if (!damagedThere.has(digest)) there.set(digest, size)
  const copied: Copied = { count: 0, bytes: 0, copied: 0, damaged: [], unreadable: [...unreadableThere] }
  const files = listed(from, (name) => copied.unreadable.push(name))
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    // Several loops run at the same time; each takes its next file from the same iterator.
    for (let next = await files.next(); !next.done && failures.length === 0; next = await files.next()) {
      const file = next.value
      if (isAmong(unreadableThere, file.digest)) continue
      const isThere = there.get(file.digest) === file.size
      const outcome = isThere ? 'there' : await copyOne(from, to, file)
      if (outcome === 'damaged' || outcome === 'unreadable') copied[outcome].push(file.digest)
      if (outcome !== 'there') continue
      copied.count += 1
      if (!isThere) copied.copied += 1
      copied.bytes += file.size
    }
  }
  const noted = () => lane().catch((error: unknown) => void failures.push(error))
  await Promise.all(Array.from({ length: atOnce }, noted))
  if (failures.length > 0) throw failures[0]
  return copied
}

/**
 * Reads files of a store, all of them unless `isAsked` leaves some out, and returns the digests of those whose bytes have another
 * digest, or cannot be read by the disk. Files that it cannot even list are not among them.
 */
export async function damagedIn(
  store: ByteStore,
  isAsked: (digest: string) => boolean = () => true,
): Promise<Set<string>> {
  const damaged = new Set<string>()
  for await (const file of listed(store)) {
    if (isAsked(file.digest) && (await digestOf(store, file)) !== file.digest) damaged.add(file.digest)
  }
  return damaged
}

/** Returns the digest of a file's bytes; null if the disk cannot read them. */
async function digestOf(store: ByteStore, { digest, size }: Placed): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    if (size > 0) for await (const chunk of await store.read(digest, size)) hash.update(chunk)
    return hash.digest('hex')
  } catch (error) {
    if (isOfDisk(error)) return null
    throw error
  }
}

async function copyOne(
  from: ByteStore,
  to: ByteStore,
  { digest, size }: Placed,
): Promise<'there' | 'gone' | 'damaged' | 'unreadable'> {
  if (size === 0) return 'damaged' // no file is stored without bytes, and a range of none cannot be read
  const source = await from.read(digest, size).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return 'gone' as const
    if (isOfDisk(error)) return 'unreadable' as const
    throw error
  })
  if (typeof source === 'string') return source
  const incoming = await to.receive(source, Number.MAX_SAFE_INTEGER).catch((error: unknown) => {
    if (source.errored === null) throw error
    // The error says only that the source broke off, as if it were the body of a request.
    if (!isOfDisk(source.errored)) throw filesUnavailable(source.errored)
    return null
  })
  if (incoming === null) return 'unreadable'
  try {
    if (incoming.digest !== digest) return 'damaged'
    await incoming.send()
    await incoming.place()
    return 'there'
  } finally {
    await incoming.discard()
  }
}
