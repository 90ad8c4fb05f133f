// In charge of the keys of providers that were given in the app, opened, as this process knows them: read again when another
// process says that one has changed, and every half minute, should that word be lost.
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { Sealing } from '../../platform/sealing.ts'
import { type KeyRow, keysChannel, readKeys, resealKey } from './store.ts'

export type KeyRing = {
  /** By provider; another map after each change. Keys that cannot be opened are not in it. */
  keys(): ReadonlyMap<string, string>
  /** Reads the keys again. */
  refresh(): void
  /** Calls it whenever the keys have become others. */
  onChanged(listener: () => void): void
  stop(): void
}

const every = 30_000

/** What a key is sealed for. */
export const placeOf = (provider: string): string => `provider key ${provider}`

/** `database`: stays open as long as the ring is used. Keys sealed with a former key of the settings are sealed again. */
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
  const readLater = (): void =>
    void read().catch((error: unknown) => log.warn({ err: error }, 'the keys of providers could not be read anew'))
  await database.listen(keysChannel, readLater)
  await read()
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
