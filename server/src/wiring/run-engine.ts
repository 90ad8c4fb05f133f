// In charge of wiring the engine that executes runs: queue, slots, worker, and the files that nodes read and write.
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

/** `reconciler` is for processes that execute no runs; a worker has a reconciler of its own. */
export type RunEngine = { queue: RunQueue; nodeFiles: NodeFiles; worker: Worker; reconciler: Reconciler }

export type Given = {
  database: Database
  config: Config
  log: Log
  files: FileStore
  nodeTypes: Registry
  /** Only for tests: shorter intervals and time limits. */
  timing?: Partial<Timing>
  /** Only for tests: the point at which the process kills itself, in the syntax of `crashPointsOf`. */
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

/** The size in bytes of the largest file that a node can read. A node loads the whole file into memory. */
const readLimit = 256 * 1024 * 1024

/** Gives nodes access to files. While the database or the file store is unavailable, a node waits instead of failing. */
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
