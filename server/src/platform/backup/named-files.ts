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

/** The number and the total size of the files that a store has and that a database does not name. */
export type Unnamed = { count: number; bytes: number }

/**
 * Compares the files that a database names with those of a store. `missing`: the digests of those that the store does not have, or
 * has in another size. `unnamed`: those that only the store has.
 */
export async function compareFiles(
  store: ByteStore,
  named: readonly Placed[],
): Promise<{ missing: string[]; unnamed: Unnamed }> {
  const known = new Set(named.map(({ digest }) => digest))
  const sizes = new Map<string, number>()
  const unnamed = { count: 0, bytes: 0 }
  for await (const { digest, size } of listed(store)) {
    if (known.has(digest)) sizes.set(digest, size)
    else {
      unnamed.count += 1
      unnamed.bytes += size
    }
  }
  const missing = named.filter(({ digest, size }) => sizes.get(digest) !== size).map(({ digest }) => digest)
  return { missing, unnamed }
}

/** Returns the digests of those files that a store does not have, or has in another size. */
export const missingFrom = async (store: ByteStore, named: readonly Placed[]): Promise<string[]> =>
  (await compareFiles(store, named)).missing
