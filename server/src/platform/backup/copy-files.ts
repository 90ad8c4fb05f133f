// In charge of copying stored files from one store to another; the digest of each copy is checked.
import { createHash } from 'node:crypto'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { ByteStore, Placed } from '../byte-store.ts'

/**
 * `count` and `bytes`: number and total size of those files of the source that the target has at the end. `copied`: how many of
 * these were copied by this call. `damaged`: the digests of files that were not copied, because their bytes have another digest.
 */
export type Copied = { count: number; bytes: number; copied: number; damaged: string[] }

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
  for await (const { digest, size } of to.list()) if (!damagedThere.has(digest)) there.set(digest, size)
  const copied: Copied = { count: 0, bytes: 0, copied: 0, damaged: [] }
  const files = from.list()
  const failures: unknown[] = []
  const lane = async (): Promise<void> => {
    // Several loops run at the same time; each takes its next file from the same iterator.
    for (let next = await files.next(); !next.done && failures.length === 0; next = await files.next()) {
      const file = next.value
      const isThere = there.get(file.digest) === file.size
      const outcome = isThere ? 'there' : await copyOne(from, to, file)
      if (outcome === 'damaged') copied.damaged.push(file.digest)
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

/** Reads files of a store, all of them unless `isAsked` leaves some out, and returns the digests of those whose bytes have another digest. */
export async function damagedIn(
  store: ByteStore,
  isAsked: (digest: string) => boolean = () => true,
): Promise<Set<string>> {
  const damaged = new Set<string>()
  for await (const file of store.list()) {
    if (isAsked(file.digest) && (await digestOf(store, file)) !== file.digest) damaged.add(file.digest)
  }
  return damaged
}

async function digestOf(store: ByteStore, { digest, size }: Placed): Promise<string> {
  const hash = createHash('sha256')
  if (size > 0) for await (const chunk of await store.read(digest, size)) hash.update(chunk)
  return hash.digest('hex')
}

async function copyOne(
  from: ByteStore,
  to: ByteStore,
  { digest, size }: Placed,
): Promise<'there' | 'gone' | 'damaged'> {
  if (size === 0) return 'damaged' // no file is stored without bytes, and a range of none cannot be read
  const source = await from.read(digest, size).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'not_found') return null
    throw error
  })
  if (source === null) return 'gone'
  const incoming = await to.receive(source, Number.MAX_SAFE_INTEGER)
  try {
    if (incoming.digest !== digest) return 'damaged'
    await incoming.send()
    await incoming.place()
    return 'there'
  } finally {
    await incoming.discard()
  }
}
