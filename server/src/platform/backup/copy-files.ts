// In charge of copying stored files from one store to another; the digest of each copy is checked.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import type { ByteStore, Placed } from '../byte-store.ts'

/**
 * `count` and `bytes`: number and total size of those files of the source that the target has at the end. `copied`: how many of
 * these were copied by this call. `damaged`: the digests of files that were not copied, because their bytes have another digest.
 */
export type Copied = { count: number; bytes: number; copied: number; damaged: string[] }

const atOnce = 4

/** Copies the files that the target lacks. A file that disappears from the source meanwhile is skipped: nothing refers to it. */
export async function copyFiles(from: ByteStore, to: ByteStore): Promise<Copied> {
  const there = new Set<string>()
  for await (const { digest } of to.list()) there.add(digest)
  const copied: Copied = { count: 0, bytes: 0, copied: 0, damaged: [] }
  const files = from.list()
  const lane = async (): Promise<void> => {
    // Several loops run at the same time; each takes its next file from the same iterator.
    for (let next = await files.next(); !next.done; next = await files.next()) {
      const file = next.value
      const isThere = there.has(file.digest)
      const outcome = isThere ? 'there' : await copyOne(from, to, file)
      if (outcome === 'damaged') copied.damaged.push(file.digest)
      if (outcome !== 'there') continue
      copied.count += 1
      if (!isThere) copied.copied += 1
      copied.bytes += file.size
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return copied
}

async function copyOne(
  from: ByteStore,
  to: ByteStore,
  { digest, size }: Placed,
): Promise<'there' | 'gone' | 'damaged'> {
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
