// In charge of the type that lists what the engine depends on; each process creates these dependencies once.
import type { FindType, NodeFiles } from '../../nodes/node-type.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { RunQueue } from '../store/queue.ts'
import type { CrashPoint } from './crash-points.ts'
import type { AllProviderCalls } from './provider-calls.ts'
import type { Slots } from './slots.ts'

/** Periods of the engine, in seconds. Tests shorten them; all are measured by the database's clock. */
export type Timing = {
  /** The time between two heartbeats of a worker; also the longest time until the worker notices that it has to stop. */
  heartbeatSeconds: number
  /** A run without a heartbeat for this time is requeued. */
  lostAfterSeconds: number
  /** The time between two polls for wake-ups whose notification was lost. */
  pollSeconds: number
  /** If a worker has not stopped a run this long after a cancel, the reconciler ends the run. */
  cancelAfterSeconds: number
  /** A queued run without a pending wake-up gets a new one after this time. */
  resendSeconds: number
  /** A queued run fails after this time if no live worker had its node types. */
  strandedAfterSeconds: number
}

export const defaultTiming: Timing = {
  heartbeatSeconds: 2,
  lostAfterSeconds: 15,
  pollSeconds: 2,
  cancelAfterSeconds: 10,
  resendSeconds: 3,
  strandedAfterSeconds: 600,
}

export type Engine = {
  database: Database
  log: Log
  queue: RunQueue
  find: FindType
  /** Every version of every node type that this process can execute. */
  has: ReadonlySet<string>
  files: NodeFiles
  slots: Slots
  providers: AllProviderCalls
  /** The maximum size of the JSON that one call of a node may return. */
  outputLimit: number
  /** The maximum size of the JSON of all results of one run. */
  resultLimit: number
  timing: Timing
  crash: (point: CrashPoint) => void
}
