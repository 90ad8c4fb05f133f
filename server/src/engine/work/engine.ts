// In charge of naming what the engine is given, wired once for each process.
import type { FindType, NodeFiles } from '../../nodes/node-type.ts'
import type { Database } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import type { RunQueue } from '../store/queue.ts'
import type { CrashPoint } from './crash-points.ts'
import type { AllProviderCalls } from './provider-calls.ts'
import type { Slots } from './slots.ts'

/** Periods of the engine, seconds. Tests shorten them; everything is judged by the database's clock. */
export type Timing = {
  /** Between two signs of life of a worker; also how soon it learns that it is to stop. */
  beat: number
  /** Without a sign of life for so long, a run is given to another worker. */
  lost: number
  /** Between two looks for wake-ups that nobody told of. */
  poll: number
  /** A worker that has not stopped so long after a cancel is not waited for. */
  cancel: number
  /** A queued run without a live wake-up gets another after so long. */
  resend: number
  /** A queued run that no live worker has had the node types for fails after so long. */
  stranded: number
}

export const defaultTiming: Timing = { beat: 2, lost: 15, poll: 2, cancel: 10, resend: 3, stranded: 600 }

export type Engine = {
  database: Database
  log: Log
  queue: RunQueue
  find: FindType
  /** Every version of every node type that this process can perform. */
  has: ReadonlySet<string>
  files: NodeFiles
  slots: Slots
  providers: AllProviderCalls
  /** Bytes of JSON that the results of one run may come to. */
  resultLimit: number
  timing: Timing
  crash: (point: CrashPoint) => void
}
