// In charge of the type that lists what the engine depends on. Each process creates these dependencies once.
import type { FindType, NodeFiles } from '../../nodes/node-type.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { RunQueue } from '../store/queue.ts'
import type { CrashPoint } from './crash-points.ts'
import type { AllProviderCalls } from './provider-calls.ts'
import type { Slots } from './slots.ts'

/**
 * The periods of the engine, in seconds; tests shorten them. The intervals between heartbeats, between polls and between turns
 * of the reconciler are timed in the process; whether a run is overdue is decided by the clock of the database.
 */
export type Timing = {
  /**
   * The time between two heartbeats of a worker. A worker notices a cancel, or the loss of a run, at the next heartbeat at
   * the latest.
   */
  heartbeatSeconds: number
  /** A running run without a heartbeat for this time counts as lost, and is requeued or ended. */
  lostAfterSeconds: number
  /** The time after which a worker looks for wake-ups even without a notification, since notifications may get lost. */
  pollSeconds: number
  /** If a worker has not stopped a run within this time after a cancel, the reconciler ends the run. */
  cancelAfterSeconds: number
  /** A queued run without a wake-up gets a new one after this time. This is also the interval of the reconciler. */
  resendSeconds: number
  /** A run that was set aside because of missing node types fails after this time if no worker with them was alive meanwhile. */
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
  /** The names of all versions of node types that this process can execute. */
  has: ReadonlySet<string>
  files: NodeFiles
  slots: Slots
  providers: AllProviderCalls
  /** The maximum bytes of JSON that one call of a node may return. */
  outputLimit: number
  /** The maximum bytes of JSON of all results and takes of one run together. */
  resultLimit: number
  timing: Timing
  crash: (point: CrashPoint) => void
}
