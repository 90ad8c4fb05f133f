// In charge of `texts`: checks whether the texts that the database builds from the rows of tasks and creatives (see
// platform/kept-texts.ts) still match these rows, and with --repair rebuilds those that do not.
import { readConfig } from '../platform/config.ts'
import { findFaults, repairAll } from '../wiring/kept-texts.ts'
import { readOptions } from './arguments.ts'
import { openExisting } from './open.ts'

const help = `Compares the texts of cards and creatives that the database keeps with what their rows say, and ends with 1 where
one differs. With --repair it makes those again, and those that are missing.

  npm run texts
  npm run texts -- --repair

On PostgreSQL the service may run meanwhile. The embedded database takes one process: stop the service first.`

export async function checkTexts(args: string[]): Promise<void> {
  const options = readOptions(args, help, { repair: { type: 'boolean' } })
  if (options === null) return
  const config = readConfig(process.env)
  // The connection has no time limit for SQL, because a single query rebuilds and compares all texts of one kind.
  const { database } = await openExisting(config, 'compare')
  try {
    if (options.repair) return console.log(`Texts made again because they were wrong: ${await repairAll(database)}.`)
    const faults = await findFaults(database)
    for (const { kept, id, what } of faults) console.log(`${kept.of} ${id}: its kept text ${words[what]}`)
    if (faults.length === 0) return console.log('Every kept text is what its row says.')
    console.log('Make them again with: npm run texts -- --repair')
    process.exitCode = 1
  } finally {
    await database.close()
  }
}

const words = { differs: 'is not what the row says', missing: 'is missing', 'of no row': 'is of a row that is gone' }
