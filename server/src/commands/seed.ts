// In charge of `seed`: adds the demo workspace to a database that contains no tasks yet.

import { createQueue } from '../engine/store/queue.ts'
import { seedDemo } from '../features/demo/seed.ts'
import { ensureOwner } from '../features/people/owner.ts'
import { createRegistry, defaultNodeTypes } from '../nodes/registry.ts'
import { readConfig } from '../platform/config.ts'
import { createDirectory } from '../platform/directory.ts'
import { fileStore } from '../platform/file-store.ts'
import { createLog } from '../platform/log.ts'
import { openFiles } from '../platform/open-files.ts'
import { enteringOf } from '../wiring/automations.ts'
import { nodeOptions } from '../wiring/node-options.ts'
import { readOptions } from './arguments.ts'
import { handOver, keepToken } from './hand-over.ts'
import { openConfigured } from './open.ts'

const help = `Puts the demo workspace into the database that the settings name, if it has no tasks yet. A database without an owner gets
one, with a token, as at a first start.

  npm run seed`

export async function seedDatabase(args: string[]): Promise<void> {
  if (readOptions(args, help, {}) === null) return
  const config = readConfig(process.env)
  const log = createLog('warn')
  const { database } = await openConfigured(config, log)
  const first = await ensureOwner(database, config.ownerToken, (token) => keepToken(config, token))
  if (first && config.ownerToken === null) {
    const { token, isShown } = handOver(config, { token: first.token, link: null })
    console.log(
      isShown
        ? `The owner's token, shown this once: ${token}`
        : `The owner's token is in the file ${token}: delete the file once you have it.`,
    )
  }
  const folder = openFiles(config)
  const files = fileStore(database, folder, config.fileLimit)
  await files.prepare()
  const queue = createQueue(database, log)
  await queue.start(false)
  const nodeTypes = createRegistry(
    defaultNodeTypes(nodeOptions({ database, directory: createDirectory(database), config })),
  )
  const entering = enteringOf({ config, queue, nodeTypes })
  const seeded = await seedDemo(database, config, { files, entering })
  await queue.stop()
  await database.close()
  console.log(seeded ? 'The demo workspace is there.' : 'There are tasks already; nothing was added.')
}
