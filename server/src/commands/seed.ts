// In charge of `seed`: the demo workspace, for a database that has no tasks yet.

import { seedDemo } from '../features/demo/seed.ts'
import { ensureOwner } from '../features/people/owner.ts'
import { readConfig } from '../platform/config.ts'
import { createLog } from '../platform/log.ts'
import { openConfigured } from './open.ts'

export async function seedDatabase(): Promise<void> {
  const config = readConfig(process.env)
  const { database } = await openConfigured(config, createLog('warn'))
  const first = await ensureOwner(database, config.ownerToken)
  const seeded = await seedDemo(database, config)
  await database.close()
  if (first && config.ownerToken === null) console.log(`The owner's token, shown this once: ${first.token}`)
  console.log(seeded ? 'The demo workspace is there.' : 'There are tasks already; nothing was added.')
}
