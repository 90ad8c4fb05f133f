// In charge of wiring the engine of runs in a process: queue, slots, worker, and the files of nodes.
import { hostname } from 'node:os'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { outputLimits } from '../engine/model/json-size.ts'
import { createQueue, type RunQueue } from '../engine/store/queue.ts'
import { type CrashPoint, crashPointsOf } from '../engine/work/crash-points.ts'
import { defaultTiming, type Engine, type Timing } from '../engine/work/engine.ts'
import { createProviderCalls } from '../engine/work/provider-calls.ts'
import { createReconciler, type Reconciler } from '../engine/work/reconciler.ts'
import { retryWhileUnavailable } from '../engine/work/retry-while-unavailable.ts'
import { createSlots } from '../engine/work/slots.ts'
import { createWorker, type Worker } from '../engine/work/worker.ts'
import { NodeFailure, type NodeFiles } from '../nodes/node-type.ts'
import type { Registry } from '../nodes/registry.ts'
import type { Config } from '../platform/config.ts'
import type { Database } from '../platform/db.ts'
import type { FileStore } from '../platform/file-store.ts'
import type { Log } from '../platform/log.ts'

/** `reconciler`: for a process that executes no runs; a worker has its own reconciler. */
export type RunEngine = { queue: RunQueue; nodeFiles: NodeFiles; worker: Worker; reconciler: Reconciler }

export type Given = {
  database: Database
  config: Config
  log: Log
  files: FileStore
  nodeTypes: Registry
  /** Tests use shorter times. */
  timing?: Partial<Timing>
  /** Where the process should die in a test, as `crashPointsOf` reads it. */
  crashAt?: string
}

export function createRunEngine({ database, config, log, files, nodeTypes, timing, crashAt }: Given): RunEngine {
  const queue = createQueue(database, log)
  const nodeFiles = filesOfNodes(files)
  const providers = createProviderCalls({ database, log, limits: config.providerLimits })
  const crash: (point: CrashPoint) => void = crashPointsOf(crashAt)
  const engine: Engine = {
    database,
    log,
    queue,
    find: nodeTypes.find,
    has: nodeTypes.has,
    files: nodeFiles,
    slots: createSlots(config.workerCalls, providers),
    providers,
    outputLimit: outputLimits[database.kind],
    resultLimit: config.runLimit,
    timing: { ...defaultTiming, ...timing },
    crash,
  }
  return {
    queue,
    nodeFiles,
    reconciler: createReconciler(engine),
    worker: createWorker(engine, {
      name: `${hostname()}/${process.pid}`,
      runs: config.workerRuns,
      url: config.databaseUrl,
    }),
  }
}

/** Nodes cannot read larger files, because a node loads the whole file into memory. */
const readLimit = 256 * 1024 * 1024

/** If the database or the file store is unavailable, the node waits instead of failing. */
const filesOfNodes = (files: FileStore): NodeFiles => ({
  read: async (digest) => {
    const file = await retryWhileUnavailable(() => files.find(digest))
    if (!file) throw new NodeFailure(`There is no file with the digest ${digest}; upload it again.`)
    if (file.size > readLimit)
      throw new NodeFailure(`The file is larger than ${readLimit / 1_048_576} MB; use a smaller one.`)
    const bytes = await retryWhileUnavailable(() => files.read(file)).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') throw new NodeFailure(error.message)
      throw error
    })
    return buffer(bytes)
  },
  write: async (bytes, mediaType, name) => {
    const { digest, media_type, size } = await retryWhileUnavailable(() => files.put(Readable.from([bytes]), mediaType))
    return { digest, media_type, size, name: name ?? null }
  },
})
