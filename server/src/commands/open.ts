// In charge of opening a database for a command: waits if the database server is still starting, then migrates the schema.
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { refuseAfterInterrupted } from '../platform/backup/interrupted.ts'
import type { Config } from '../platform/config.ts'
import { type Database, isUnavailable, openDatabase, setRetention } from '../platform/db.ts'
import { databaseFolder, embeddedEngine } from '../platform/embedded.ts'
import { closeDataFolder } from '../platform/folder-modes.ts'
import { createLog, type Log } from '../platform/log.ts'
import { type Applied, migrate, newerMigrations, releaseOf } from '../platform/migrate.ts'
import type { Migration } from '../platform/migration-files.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { postgresEngine } from '../platform/postgres.ts'
import {
  isStandby,
  missingRights,
  refuseTransactionPooling,
  refuseUnfit,
  rightsProblem,
  rightsWarning,
  schemaProblem,
  standbyWords,
} from '../platform/postgres-fit.ts'
import { traced } from '../platform/tracing/traced-database.ts'
import { productVersion } from '../platform/version.ts'

const patienceMs = 60_000

/**
 * `applied`: the migrations that were applied while the database was opened. `newer`: the migrations of a newer version that the
 * schema already had.
 */
export type Opened = { database: Database; applied: Migration[]; newer: Applied[] }

/**
 * Opens the configured database and brings its schema up to this version. `stays`: whether the process will keep running; then it
 * is also checked that the database server has room for all connections of the process.
 */
export async function openConfigured(config: Config, log: Log, { stays = false } = {}): Promise<Opened> {
  const open = closeDataFolder(config.dataDir)
  if (open.length > 0) log.warn({ open }, 'the disk keeps no modes: others on this machine may get at the data folder')
  if (config.databaseUrl === null) {
    const opened = await openEmbedded(config)
    setRetention(opened.database, config.retention.seconds)
    return opened
  }
  const { database: patient, ...opened } = await openPatient(
    config.databaseUrl,
    log,
    stays ? connectionsOf(config) : null,
  )
  await patient.close()
  const driver = postgresEngine(config.databaseUrl, { connections: config.databaseConnections, log })
  const database = openDatabase(traced(driver))
  setRetention(database, config.retention.seconds)
  return { database, ...opened }
}

/**
 * Throws if the settings name an embedded database that does not exist. For commands that look at a database or change what is in
 * it: opening it would make a new, empty one, and they would report that all is well there. `nothingTo`: what the command does.
 */
export function requireEmbedded({ databaseUrl, dataDir }: DatabaseSettings, nothingTo: string): void {
  if (databaseUrl !== null || existsSync(databaseFolder(dataDir))) return
  if (existsSync(dataDir)) refuseAfterInterrupted(dataDir)
  throw new OperatorError(`There is no embedded database in ${dataDir} (ATELIER_DATA_DIR): nothing to ${nothingTo}.`)
}

/** Opens a database for a command that ends soon and whose SQL may take long; throws what `requireEmbedded` throws. */
export async function openExisting(config: DatabaseSettings & EmbeddedSettings, nothingTo: string): Promise<Opened> {
  requireEmbedded(config, nothingTo)
  return config.databaseUrl === null ? openEmbedded(config) : openPatient(config.databaseUrl, createLog('warn'))
}

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'dataDir'>
type EmbeddedSettings = Pick<Config, 'dataDir' | 'embeddedCommits'>

/** Logs which version starts, which migrations it applied, and whether the schema is newer than this version. */
export function logOpened({ applied, newer }: Opened, log: Log): void {
  log.info({ version: productVersion }, 'starting')
  for (const { number, name } of applied) log.info({ number, name }, 'applied a migration')
  if (newer.length > 0) log.warn({ version: productVersion }, beside(newer))
}

/** The message for an operator who runs this version although the schema is newer. */
export const beside = (newer: readonly Applied[]): string =>
  `the schema is that of ${releaseOf(newer)}, which this version works with; it is left as it is`

export async function openEmbedded({ dataDir, embeddedCommits }: EmbeddedSettings): Promise<Opened> {
  const engine = await embeddedEngine(dataDir, { isFast: embeddedCommits === 'fast' })
  const database = openDatabase(traced(engine))
  return migrated(database)
}

/**
 * Opens a PostgreSQL database over one connection without a time limit for SQL: a migration, or waiting while another process
 * migrates, may take longer than the SQL of a request is allowed to. `connections`: how many connections the process will open;
 * null if it will end soon, so that there is nothing to check. `named`: what names the URL, for messages.
 */
export async function openPatient(
  url: string,
  log: Log,
  connections: number | null = null,
  named = 'DATABASE_URL',
): Promise<Opened> {
  const database = openDatabase(postgresEngine(url, { connections: 1, log, statementTimeoutMs: 0 }))
  await waitFor(database, log, named)
  try {
    const warning = await refuseUnfit(database, connections, named)
    if (warning !== null) log.warn(warning)
    if (connections !== null) await refuseTransactionPooling(url)
  } catch (error) {
    await database.close()
    throw error
  }
  const held = (by: string): void =>
    log.warn({ by }, 'the schema cannot be changed while other transactions use its tables; trying again')
  const opened = await migrated(database, { held, named })
  const missing = await missingRights(database)
  if (missing === null) return opened
  const problem = connections === null ? null : rightsProblem(missing)
  if (problem !== null) {
    await database.close()
    throw new OperatorError(problem)
  }
  log.warn(rightsWarning(missing))
  return opened
}

/** Besides its connections for requests, a process needs one for notifications, and one more if it executes runs. */
const connectionsOf = ({ databaseConnections, work }: Config): number => databaseConnections + (work ? 2 : 1)

type Migrating = { held?: (by: string) => void; named?: string }

async function migrated(database: Database, { held, named }: Migrating = {}): Promise<Opened> {
  try {
    const applied = await migrate(database, undefined, undefined, held === undefined ? {} : { held })
    return { database, applied, newer: await newerMigrations(database.main) }
  } catch (error) {
    await database.close()
    const problem = schemaProblem(error, named)
    throw problem === null ? error : new OperatorError(problem)
  }
}

class StandbyError extends OperatorError {}

/**
 * Waits up to a minute while the PostgreSQL server cannot be reached or is a standby. Throws if it still cannot be used then. Logs each
 * reason once, not once a second.
 */
async function waitFor(database: Database, log: Log, named: string): Promise<void> {
  const end = performance.now() + patienceMs
  let logged: string | null = null
  for (;;) {
    try {
      await database.ping()
      if (!(await isStandby(database))) return
      throw new StandbyError(standbyWords(named))
    } catch (error) {
      const why = wordsOf(error)
      const mayPass = isUnavailable(error) || error instanceof StandbyError
      if (!mayPass || performance.now() > end) {
        await database.close()
        if (error instanceof StandbyError) throw error
        throw new OperatorError(
          `The PostgreSQL database cannot be used: ${why}. Check its URL (${named}) and that the server runs.`,
        )
      }
      if (why !== logged) log.warn({ why }, 'the database cannot be used yet; it is tried again for up to a minute')
      logged = why
      await wait(1000)
    }
  }
}
