// In charge of a worker process that the chaos test may kill: an engine whose node types, timing and crash points are given in
// the one command-line argument. The worker's database connections carry its name, so that every write can be traced to it.
import { hostname } from 'node:os'
import path from 'node:path'
import type { Timing } from '../../../src/engine/work/engine.ts'
import { comfyUiRun } from '../../../src/nodes/comfyui-run.ts'
import { imageGenerate } from '../../../src/nodes/image-generate.ts'
import { createPictureWorkers } from '../../../src/nodes/images/workers.ts'
import { createRegistry } from '../../../src/nodes/registry.ts'
import { readConfig } from '../../../src/platform/config.ts'
import { openDatabase } from '../../../src/platform/db.ts'
import { fileFolder } from '../../../src/platform/file-folder.ts'
import { fileStore } from '../../../src/platform/file-store.ts'
import { createLog } from '../../../src/platform/log.ts'
import { postgresEngine } from '../../../src/platform/postgres.ts'
import { createRunEngine } from '../../../src/wiring/run-engine.ts'
import { modelsOf } from '../models.ts'
import { tags } from '../tags.ts'
import { chaosNodes, productNodes } from './nodes.ts'

export type WorkerOrders = {
  url: string
  files: string
  provider: string
  timing: Timing
  /** The crash points of the worker, in the format that `crashPointsOf` parses. */
  crashAt: string
  /** How many milliseconds the worker's clock is ahead of the real time; negative if it is behind. */
  skewMs: number
  /** The versions of the node type `test.tags` that the worker can run. */
  tags?: number[]
  /** URLs of image providers by provider name, and how many calls to each may be open at once. Left out: none can be called. */
  painters?: { urls: Readonly<Record<string, string>>; calls: number }
}

const {
  url,
  files: folder,
  provider,
  timing,
  crashAt,
  skewMs,
  tags: versions = [],
  painters,
}: WorkerOrders = JSON.parse(process.argv[2] ?? '')
const real = Date.now
Date.now = () => real() + skewMs

const name = `${hostname()}/${process.pid}`
const named = new URL(url)
named.searchParams.set('application_name', name)
const log = createLog('error')
const database = openDatabase(postgresEngine(named.href, { connections: 6, log }))
const config = readConfig({
  ...{ DATABASE_URL: named.href, ATELIER_FILES: path.resolve(folder), ATELIER_WORKER_RUNS: '6' },
  ...(painters ? { ATELIER_PROVIDER_LIMITS: `*=${painters.calls}` } : {}),
})
const files = fileStore(database, fileFolder(folder), config.fileLimit)
const [models, pictures] = [modelsOf(painters?.urls ?? {}), createPictureWorkers({ most: 1 })]
const painting = painters ? [imageGenerate(models, pictures), comfyUiRun(models, pictures)] : []
const nodeTypes = createRegistry([...productNodes, ...chaosNodes(provider, name), ...versions.map(tags), ...painting])
const { queue, worker } = createRunEngine({ database, config, log, files, nodeTypes, timing, crashAt })
await queue.start(false)
await worker.start()
process.stdout.write(`working as ${name}\n`)
process.on('SIGTERM', () => void worker.stop(2_000).then(() => process.exit(0)))
