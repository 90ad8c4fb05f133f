// In charge of `move`: copies the whole content of the embedded database into an empty PostgreSQL database.
import { join } from 'node:path'
import { readConfig } from '../platform/config.ts'
import { postgresUrl } from '../platform/config-values.ts'
import { anyRows, copyDatabase } from '../platform/copy.ts'
import { createLog } from '../platform/log.ts'
import { releaseOf } from '../platform/migrate.ts'
import { OperatorError, wordsOf } from '../platform/operator-error.ts'
import { productVersion } from '../platform/version.ts'
import { argumentError, readOptions } from './arguments.ts'
import { openEmbedded, openPatient, requireEmbedded } from './open.ts'

const help = `Moves the embedded database (of ATELIER_DATA_DIR) to an empty PostgreSQL database, all or nothing.
Stop the service first. The embedded database stays as it is.

  npm run move                                            to the database that the setting DATABASE_URL names
  npm run move -- --to postgres://user@host/atelier       to that one

Other users of this machine see what --to says while the command runs: a password belongs in DATABASE_URL or PGPASSWORD.`

export async function moveDatabase(args: string[]): Promise<void> {
  const options = readOptions(args, help, { to: { type: 'string' } })
  if (options === null) return
  const config = readConfig(process.env)
  const to = options.to === undefined ? config.databaseUrl : targetOf(options.to)
  if (to === null) throw argumentError('Say where to: by DATABASE_URL, or by --to postgres://…', help)
  requireEmbedded({ ...config, databaseUrl: null }, 'move')
  const log = createLog('warn')
  const { database: source, newer } = await openEmbedded(config)
  if (newer.length > 0) {
    await source.close()
    throw new OperatorError(
      `The embedded database has the schema of ${releaseOf(newer)}, and Atelier ${productVersion} would not make all of ` +
        'it in the other database: move it with that version.',
    )
  }
  const named = options.to === undefined ? 'DATABASE_URL' : '--to'
  const { database: target } = await openPatient(to, log, null, named)
  try {
    const table = await anyRows(target)
    if (table !== null) {
      throw new OperatorError(`The database to move to has rows already (in ${table}): move to an empty one.`)
    }
    const counts = await copyDatabase(source, target)
    const told = [...counts].filter(([, rows]) => rows > 0).map(([name, rows]) => `  ${name.padEnd(24)} ${rows}`)
    console.log(['Moved, with as many rows on either side:', ...told, '', next(config.dataDir)].join('\n'))
  } finally {
    await target.close()
    await source.close()
  }
}

/** Returns the address that --to gives; throws if it is not one of PostgreSQL. */
function targetOf(text: string): string {
  try {
    return postgresUrl(text)
  } catch (error) {
    throw argumentError(`--to ${wordsOf(error)}.`, help)
  }
}

const next = (dataDir: string): string =>
  `Now set DATABASE_URL to that database and start. Tokens, links and cursors stay good; uploaded files stay in their\n` +
  `folder. Once all is well, ${join(dataDir, 'pg')} can be deleted.`
