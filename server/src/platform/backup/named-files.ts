// In charge of the files that a database names, and of comparing them with those that a store has.
import type { ByteStore, Placed } from '../byte-store.ts'
import type { Database } from '../db.ts'
import { listed } from './listing.ts'

/** Returns all files that the database names. Most of them are used; those that are not are named until a purge removes them. */
export async function namedFiles({ main }: Database): Promise<Placed[]> {
  const rows = await main.selectFrom('files').select(['digest', 'size']).execute()
  return rows.map(({ digest, size }) => ({ digest, size: Number(size) }))
}

/** Whether a value is what `namedFiles` returns, for a reader that gets it from another process. */
export const areFiles = (value: unknown): value is Placed[] =>
  Array.isArray(value) && value.every((one) => typeof one?.digest === 'string' && typeof one?.size === 'number')

/** Returns the digests of those files that a store does not have, or has in another size. */
export async function missingFrom(store: ByteStore, named: readonly Placed[]): Promise<string[]> {
  const sizes = new Map<string, number>()
  for await (const { digest, size } of listed(store)) sizes.set(digest, size)
  return named.filter(({ digest, size }) => sizes.get(digest) !== size).map(({ digest }) => digest)
}

/** Returns the number and the total size of the files that a store has and that are not among `named`. */
export async function unnamedIn(store: ByteStore, named: readonly Placed[]): Promise<{ count: number; bytes: number }> {
  const known = new Set(named.map(({ digest }) => digest))
  const found = { count: 0, bytes: 0 }
  for await (const { digest, size } of listed(store)) {
    if (known.has(digest)) continue
    found.count += 1
    found.bytes += size
  }
  return found
}
