// In charge of `migrate`: brings the database schema up to this version without starting the service.
import { createQueue } from '../engine/store/queue.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { readOptions } from './arguments.ts'
import { beside, openConfigured } from './open.ts'

const help = `Brings the schema of the database that the settings name up to this version, and ends. A start does the same: this is
for a database whose schema the service may not change.

  npm run migrate`

export async function migrateDatabase(args: string[]): Promise<void> {
  if (readOptions(args, help, {}) === null) return
  const log = createLog('warn')
  const { database, applied, newer } = await openConfigured(readConfig(process.env), log)
  const queue = createQueue(database, log)
  await queue.start(false)
  await queue.stop()
  await database.close()
  for (const { number, name } of applied) console.log(`applied ${number} ${name}`)
  if (newer.length > 0) console.log(beside(newer))
  else if (applied.length === 0) console.log('the schema is up to date')
}
