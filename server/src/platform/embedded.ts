// In charge of running PGlite as a database: locking its folder, parsing column values, reading rows, and receiving notifications.
import { constants, existsSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { type Driver, PGliteDialect } from 'kysely'
import { refuseAfterInterrupted } from './backup/interrupted.ts'
import { snapshotsIn } from './backup/snapshots.ts'
import type { DatabaseDriver } from './db.ts'
import { freeBytesOf, requireRoom, requireRoomForCopy, requireRoomToStart } from './disk-room.ts'
import { endProcess } from './embedded-end.ts'
import { cacheParams, collectGarbage, compileWithin, memoryHere } from './embedded-memory.ts'
import { type Statements, statementsOn } from './embedded-statements.ts'
import { lockFolder } from './folder-lock.ts'
import { OperatorError, wordsOf } from './operator-error.ts'
import { SyncedFolder, syncAll, syncedParams } from './synced-folder.ts'
import { parsers } from './types.ts'

export type EmbeddedOptions = {
  /** The content with which a new database begins, dumped by another PGlite; if it is left out, the new database is empty. */
  snapshot?: Blob | undefined
  /** If true, commits do not wait for the disk; then a power cut may lose or damage data. */
  isFast?: boolean
  /** How many bytes are free on the disk of a folder. */
  freeBytes?: typeof freeBytesOf
}

/** Opens the database in a folder, or in memory if `dataDir` is null; throws if another process has opened the folder. */
export async function embeddedEngine(
  dataDir: string | null,
  { snapshot, isFast = false, freeBytes = freeBytesOf }: EmbeddedOptions = {},
): Promise<DatabaseDriver> {
  const loaded = snapshot ? { loadDataDir: snapshot } : {}
  const startParams = [...(isFast || dataDir === null ? PGlite.defaultStartParams : syncedParams), ...cacheParams]
  if (dataDir === null) {
    const opening = PGlite.create({ startParams, ...loaded }).catch((error: unknown) => {
      throw new Error('The embedded database in memory does not open.', { cause: error })
    })
    return engineOf(await opening)
  }
  const lock = lockFolder(dataDir)
  const folder = databaseFolder(dataDir)
  const isNew = !existsSync(folder)
  try {
    if (isNew) refuseAfterInterrupted(dataDir)
    requireRoomToStart(dataDir, freeBytes(dataDir))
    compileWithin(memoryHere())
    const fs = new SyncedFolder(folder, !isFast)
    const pglite = await PGlite.create({ fs, startParams, ...loaded })
    if (isNew) collectGarbage()
    if (!isFast) await syncAll(folder)
    const requireFolder = () => {
      if (!lock.isThere()) endProcess(`the folder ${dataDir} was removed, moved or replaced. Start again.`)
    }
    const beforeWrite = () => {
      requireFolder()
      try {
        requireRoom(dataDir, freeBytes(dataDir))
      } catch (error) {
        requireFolder() // it may have been moved since, and then its disk cannot be asked
        throw error
      }
    }
    const engine = engineOf(pglite, { release: lock.release, folder, beforeWrite })
    return { ...engine, checkpoint: isFast ? null : checkpointing(pglite, folder) }
  } catch (error) {
    lock.release()
    if (error instanceof OperatorError) throw error
    throw new OperatorError(doesNotOpen(dataDir, error), { cause: error })
  }
}

/** The embedded database's folder inside the data folder. */
export const databaseFolder = (dataDir: string): string => join(dataDir, 'pg')

/** A checkpoint is made when the write-ahead log has grown by this many bytes since the last one. PostgreSQL's default is 1 GB. */
const checkpointedBytes = 4_000_000

/**
 * Returns a function that makes a checkpoint if one is due. In a checkpoint, PostgreSQL syncs its files one by one in this thread,
 * which could then serve no requests for half a second or longer. So `syncAll` has other threads sync the same files before the
 * checkpoint, whose own syncs then have nothing left to write.
 */
function checkpointing(pglite: PGlite, folder: string): () => Promise<void> {
  const bytesWritten = async (): Promise<number> => {
    const { rows } = await pglite.query<{ bytes: string }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`)
    return Number(rows[0]?.bytes)
  }
  let last = 0
  return async () => {
    if ((await bytesWritten()) - last < checkpointedBytes) return
    await syncAll(folder)
    await pglite.exec('checkpoint')
    last = await bytesWritten()
  }
}

function doesNotOpen(dataDir: string, error: unknown): string {
  const [why = ''] = wordsOf(error).split('\n')
  const found = `The embedded database in ${databaseFolder(dataDir)} does not open (${why}). Nothing of it was changed.`
  const newest = snapshotsIn(dataDir).at(-1)
  if (newest === undefined)
    return `${found}\nThere is no snapshot of it. Put a backup in its place: npm run restore -- --from <folder>`
  return (
    `${found}\nIts newest snapshot is of ${newest.takenAt}. To go on from there:\n\n  npm run restore -- --snapshot latest\n\n` +
    'The damaged database is kept beside it.'
  )
}

/** For how many ms statements may be executed one after the other before waiting requests are handled. */
const sliceMs = 10

/**
 * Lets the process handle other events between two transactions. PGlite resolves a statement in the same turn of the event loop,
 * and the caller sends the next statement in that turn too; so a series of transactions would delay all requests until its end.
 */
class PoliteDialect extends PGliteDialect {
  readonly #beforeWrite: () => void

  constructor(pglite: Statements, beforeWrite: () => void) {
    super({ pglite })
    this.#beforeWrite = beforeWrite
  }

  override createDriver(): Driver {
    const driver = super.createDriver()
    const acquire = driver.acquireConnection.bind(driver)
    let since = performance.now()
    driver.acquireConnection = async (...options) => {
      if (performance.now() - since >= sliceMs) {
        await setImmediate()
        since = performance.now()
      }
      return acquire(...options)
    }
    // A transaction on a closed PGlite would never resolve; so transactions that still wait when PGlite closes are refused.
    const [begin, destroy] = [driver.beginTransaction.bind(driver), driver.destroy.bind(driver)]
    let isEnding = false
    driver.beginTransaction = async (connection, settings) => {
      if (isEnding) throw new Error('PGlite is closed')
      if (settings.accessMode !== 'read only') this.#beforeWrite()
      await begin(connection, settings)
    }
    driver.destroy = async () => {
      isEnding = true
      await destroy()
    }
    return driver
  }
}

type EngineParts = { release?: () => void; folder?: string | null; beforeWrite?: () => void }
const nothing = (): void => undefined

/**
 * Returns the driver for an open PGlite. PGlite has one connection: it executes statements one by one, and during a transaction all
 * other statements wait. `release` is called when the driver has been closed, and `beforeWrite` before each transaction that may
 * write: if it throws, the transaction does not begin. `folder` is null if the database is in memory.
 */
export function engineOf(
  pglite: PGlite,
  { release = nothing, folder = null, beforeWrite = nothing }: EngineParts = {},
): DatabaseDriver {
  Object.assign(pglite.parsers, parsers)
  const statements = statementsOn(pglite)
  return {
    kind: 'embedded',
    commitAhead: null,
    dialect: new PoliteDialect(statements, beforeWrite),
    async read(statement, values) {
      const result = await statements.query<unknown[]>(statement.text, values, { rowMode: 'array' })
      return result.rows
    },
    async script(text) {
      const results = await statements.exec(text)
      return results.flatMap(({ rows }) => rows)
    },
    listen: statements.listen,
    listening: () => !pglite.closed,
    ping: async () => {
      await pglite.query('select 1')
    },
    connections: () => ({ total: 1, idle: 0, waiting: 0 }),
    // Between two statements, the files are in the same state as after the death of a process, from which PostgreSQL can recover.
    // The recovery of the copy discards the changes of a transaction that was open.
    copyFolder:
      folder === null
        ? null
        : async (to) => {
            await requireRoomForCopy(folder, dirname(to))
            await pglite.runExclusive(() => cp(folder, to, { recursive: true, mode: constants.COPYFILE_FICLONE }))
          },
    checkpoint: null,
    close: async () => {
      if (!pglite.closed) await pglite.close()
      release()
    },
  }
}
