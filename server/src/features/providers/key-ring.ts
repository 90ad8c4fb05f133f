// In charge of the provider keys that admins set in the app: this process keeps the decrypted keys in memory. The keys are read
// again when another process reports a change, and every half minute in case a report is lost.
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type KeyRow, keysChannel, readKeys, resealKey } from './store.ts'

export type KeyRing = {
  /** The keys by provider, without keys that cannot be decrypted. Each change creates a new map. */
  keys(): ReadonlyMap<string, string>
  /** Begins to read the keys from the database again, and does not wait for the result. */
  refresh(): void
  /** Sets the function that is called whenever the keys have changed. */
  onChanged(listener: () => void): void
  stop(): void
}

const every = 30_000

/**
 * Returns the name of the place for which a provider's key is encrypted. If the encrypted key is copied to the row of another
 * provider, the copy cannot be decrypted.
 */
export const placeOf = (provider: string): string => `provider key ${provider}`

/**
 * Reads the keys, and keeps them current until `stop` is called; `database` must stay open until then. Keys that were encrypted
 * with a former secret from the settings are encrypted again with the present one.
 */
export async function openKeyRing(database: Database, sealing: Sealing, log: Log): Promise<KeyRing> {
  let keys: ReadonlyMap<string, string> = new Map()
  let listener = (): void => undefined
  const opened = async (row: KeyRow): Promise<[string, string][]> => {
    const key = sealing.open(row.sealed, placeOf(row.provider))
    if (key === null) return []
    if (sealing.isOutdated(row.sealed)) {
      await resealKey(database.main, row, sealing.seal(key, placeOf(row.provider)))
    }
    return [[row.provider, key]]
  }
  const read = async (): Promise<void> => {
    const next = new Map<string, string>()
    for (const row of await readKeys(database.main)) for (const [name, key] of await opened(row)) next.set(name, key)
    const isSame = next.size === keys.size && [...next].every(([name, key]) => keys.get(name) === key)
    if (isSame) return
    keys = next
    listener()
  }
  let isReading = false
  let isOutdated = false
  // One reading at a time, since one that began earlier may end later, and would bring back keys that have been replaced. What is
  // reported during a reading may be missing in it, so another one follows.
  const readInTurn = async (): Promise<void> => {
    isReading = true
    try {
      do {
        isOutdated = false
        await read().catch((error: unknown) => {
          if (!isOutdated) throw error
        })
      } while (isOutdated)
    } finally {
      isReading = false
    }
  }
  const readLater = (): void => {
    isOutdated = true
    if (isReading) return
    void readInTurn().catch((error: unknown) =>
      log.warn({ err: error }, 'the keys of providers could not be read anew'),
    )
  }
  await database.listen(keysChannel, readLater, readLater)
  await readInTurn()
  const timer = setInterval(readLater, every).unref()
  return {
    keys: () => keys,
    refresh: readLater,
    onChanged: (next) => {
      listener = next
    },
    stop: () => clearInterval(timer),
  }
}
