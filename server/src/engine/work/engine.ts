// In charge of naming what the engine needs, wired once for each process.
import type { FindType, NodeFiles } from '../../nodes/node-type.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { RunQueue } from '../store/queue.ts'
import type { CrashPoint } from './crash-points.ts'
import type { AllProviderCalls } from './provider-calls.ts'
import type { Slots } from './slots.ts'

/** Periods of the engine, seconds. Tests shorten them; everything is judged by the database's clock. */
export type Timing = {
  /** Between two heartbeats of a worker; also how soon it learns that it is to stop. */
  heartbeatSeconds: number
  /** Without a heartbeat for this long, a run is requeued. */
  lostAfterSeconds: number
  /** Between two polls for wake-ups whose notice was lost. */
  pollSeconds: number
  /** A worker that has not stopped this long after a cancel is not waited for. */
  cancelAfterSeconds: number
  /** A queued run without a live wake-up gets another after this time. */
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
  /** The most bytes of JSON that one call of a node may give. */
  outputLimit: number
  /** The most bytes of JSON that the results of one run may have. */
  resultLimit: number
  timing: Timing
  crash: (point: CrashPoint) => void
}
