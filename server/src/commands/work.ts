// In charge of `work`: starts a process that executes runs but serves no API requests. Several such processes can share one
// PostgreSQL database.

import { openKeyRing } from '../features/providers/key-ring.ts'
import { createRegistry, defaultNodeTypes } from '../nodes/registry.ts'
import { createChanges } from '../platform/changes.ts'
import { readConfig } from '../platform/config.ts'
import { createDirectory } from '../platform/directory.ts'
import { fileStore } from '../platform/file-store.ts'
import { startWatchServer } from '../platform/http/watch-server.ts'
import { createLog } from '../platform/log.ts'
import { createMetrics } from '../platform/metrics.ts'
import { openFiles } from '../platform/open-files.ts'
import { OperatorError } from '../platform/operator-error.ts'
import { createSealing } from '../platform/sealing.ts'
import { startTraces } from '../platform/tracing/start-traces.ts'
import { measuring } from '../wiring/measures.ts'
import { nodeOptions } from '../wiring/node-options.ts'
import { createRunEngine } from '../wiring/run-engine.ts'
import { readOptions } from './arguments.ts'
import { logOpened, openConfigured } from './open.ts'
import { stopOnSignals } from './stopping.ts'

const help = `Works on runs until it is stopped, besides the services and other workers on the same PostgreSQL database. It answers no
requests. Everything is said by settings (docs/configuration.md).

  npm run work`

export async function work(args: string[]): Promise<void> {
  if (readOptions(args, help, {}) === null) return
  const config = readConfig(process.env)
  if (config.databaseUrl === null) {
    throw new OperatorError(
      'The embedded database takes one process, and `npm start` works on runs itself. For workers of their own, set DATABASE_URL to a PostgreSQL database.',
    )
  }
  const log = createLog(config.logLevel)
  const endTraces = await startTraces(process.env, log)
  const opened = await openConfigured(config, log, { stays: true })
  logOpened(opened, log)
  const { database } = opened
  const files = fileStore(database, openFiles(config), config.fileLimit)
  await files.prepare()
  // From this call on, the changes that this process commits are reported to the processes that serve requests.
  const changes = createChanges(database, log)
  const keyRing = await openKeyRing(database, createSealing(config.secretsKeys), log)
  const options = nodeOptions({ database, directory: createDirectory(database), config, keyRing })
  const nodeTypes = createRegistry(defaultNodeTypes(options))
  keyRing.onChanged(nodeTypes.describe)
  const { queue, worker } = createRunEngine({
    ...{ database, config, log, files, nodeTypes },
  })
  const metrics = createMetrics(measuring(database, config))
  let isStopping = false
  const watching = await startWatchServer({ log, config, database, metrics, draining: () => isStopping })
  await queue.start(true)
  await worker.start()
  const watched = watching ? ` Watched on port ${watching.port}.` : ''
  console.log(`Working on runs: ${config.workerRuns} at once, ${config.workerCalls} calls.${watched} Stop with Ctrl+C.`)

  stopOnSignals({
    log,
    words: 'stopping: calls under way end first, other workers take over the rest',
    first: () => {
      isStopping = true
    },
    stop: async () => {
      await worker.stop()
      await queue.stop()
      keyRing.stop()
      await changes.stop()
      await database.close()
      watching?.close()
      await endTraces()
    },
  })
}
