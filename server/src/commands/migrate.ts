// In charge of `migrate`: the schema of this version, and nothing else.
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { openConfigured } from './open.ts'

export async function migrateDatabase(): Promise<void> {
  const { database, applied } = await openConfigured(readConfig(process.env), createLog('warn'))
  await database.close()
  for (const { number, name } of applied) console.log(`applied ${number} ${name}`)
  if (applied.length === 0) console.log('the schema is up to date')
}
