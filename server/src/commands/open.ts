// In charge of opening the database the settings name: waiting for a server that is still starting, then its schema.
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../platform/config.ts'
import { type Database, isUnavailable, openDatabase } from '../platform/db.ts'
import { embeddedEngine } from '../platform/embedded.ts'
import type { Log } from '../platform/log.ts'
import { type Migration, migrate } from '../platform/migrate.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { postgresEngine } from '../platform/postgres.ts'

const patienceMs = 60_000

/** The database, reachable and with the schema of this version; `applied` are the migrations that took. */
export async function openConfigured(config: Config, log: Log): Promise<{ database: Database; applied: Migration[] }> {
  if (config.databaseUrl === null) {
    const database = openDatabase(await embeddedEngine(config.dataDir))
    return { database, applied: await migrated(database) }
  }
  // A migration may take longer than any request, and so may waiting for another process that applies it.
  const patient = openDatabase(postgresEngine(config.databaseUrl, { connections: 1, log, statementTimeoutMs: 0 }))
  await waitFor(patient, log)
  const applied = await migrated(patient)
  await patient.close()
  const database = openDatabase(postgresEngine(config.databaseUrl, { connections: config.databaseConnections, log }))
  return { database, applied }
}

async function migrated(database: Database): Promise<Migration[]> {
  return migrate(database).catch(async (error: unknown) => {
    await database.close()
    throw error
  })
}

/** A PostgreSQL server that is away is waited for, for a minute. */
async function waitFor(database: Database, log: Log): Promise<void> {
  const end = performance.now() + patienceMs
  for (;;) {
    try {
      await database.ping()
      return
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > end) {
        await database.close()
        const why = error instanceof Error ? error.message || String(error) : String(error)
        throw new OperatorError(
          `The database at DATABASE_URL cannot be used: ${why}. Check the URL and that the server runs.`,
        )
      }
      log.warn('the database does not answer yet; waiting')
      await wait(1000)
    }
  }
}
