// In charge of the states of a run: the only table of what each transition writes to the run's row.
//
// INVARIANTS
//  1. Every start, re-roll and rewind increases `generation`; nothing else does. A unit's result belongs to the generation
//     in which it was made. In a later generation the result has to be checked again; if it is still valid, the unit counts
//     as `cached`.
//  2. `lease` is the fencing token: a worker gives the lease number of its claim with every write. The number increases with
//     every claim, and whenever earlier claims or wake-ups must become invalid: start, an answer after which the run goes on,
//     requeue, rest, an edit that invalidates results, rewind. A save is written only if the run is running and has the
//     generation and lease of the worker; otherwise the save fails with `LostRun`. Even then, something is written for calls
//     that were paid for: their ledger entries, the sums of credits and money, and the cache entries of their outputs.
//  3. A queued run has a wake-up for its lease, or a row in `stranded_runs`; the reconciler replaces lost wake-ups.
//  4. A run belongs to a worker only while its status is running: then it has a `worker` and a recent `heartbeat_at`.
//  5. In a parked or finished run nothing is in progress: no ledger entry is `intended`, and no cache key is claimed.
//  6. `changes` counts the saves of a run. A transaction that writes units increases `changes`, and stores the new count in
//     each of these units, so that a reader who knows an earlier count finds the units that were written after it.
//     `last_deletion` is the count of the last save that deleted units.
//  7. Spent credits stay spent: `credits_total` only grows. `credits_consumed` counts only the present generation.
//  8. Choosing a take costs nothing: a start sets the take's roll only if the call of the unit then has the take's cache key,
//     so that the worker finds the take's outputs.
//  9. An exported run is a permanent record: a start creates a fork of it; edit, answer and rewind are refused.
//
//            create, fork                         answer (the last open question of a gate)
//                 │                 ┌───────────────────────────────────────────────────┐
//                 ▼      start      ▼      claim            park                        │
//               draft ──────────▶ queued ────────▶ running ──────▶ awaiting_input ──────┘
//                 ▲  ▲              ▲  ▲             │  │               │   │
//     execute:    │  │ edit,        │  └─────────────┘  │               │   │ start: queued again
//     false       │  │ rewind       │ requeue (worker   │ rest          │   │ edit: draft
//                 │  │              │ lost or stopping) ▼               ▼ rest (cancel)
//                 └──┴── start ─────┴──────── succeeded · failed · cancelled
//
// TRANSITIONS. Columns: name; from → to; the file that writes it; the counters that it increases, besides `changes`. The
// functions in contract/src/graph/run-rules.ts decide whether a transition is allowed; `columnsFor` below lists what it writes.
//   create    → draft             create.ts createRun, start.ts fork, start-many.ts (queued at once, for many tasks)
//   start     draft, parked or finished → queued, or draft if it is only prepared    start.ts       generation, lease
//   claim     queued → running                                                       claim.ts       lease
//   setAside  stays queued: the worker lacks its node types; or the run's last       claim.ts
//             workers crashed, so it needs a worker alone, and this one has other runs
//   park      running → awaiting_input                                               rest.ts
//   answer    awaiting_input → queued after a gate's last answer; else no change     answer.ts      lease if queued
//   requeue   running → queued: its worker was lost or is stopping                   rest.ts        lease
//   rest      running, queued, awaiting_input → succeeded, failed, cancelled         rest.ts        lease
//   cancel    no change: its worker is requested to stop; without one, rest follows  cancel.ts
//   edit      draft, parked or finished → draft if results became invalid            edit.ts        lease
//   rewind    draft, parked or finished → the checkpoint's status (see below)        history.ts     generation, lease
//
// WHAT EACH STATE GUARANTEES
//   draft           not executed since it was created, edited, prepared or rewound; `error` and `finished_at` are null
//   queued          `queued_at` is set; `error` is null, or says why the run waits for a worker
//   running         `worker`, `started_at` and `heartbeat_at` are set
//   awaiting_input  at least one unit has an open question; `worker` is null; `started_at` is set, except after a rewind
//   succeeded       no needed unit failed: each has outputs, or was skipped because a branch before it was not taken;
//                   `finished_at` is set, except after a rewind
//   failed          `error` says what failed; `finished_at` is set, except after a rewind
//   cancelled       `error` is null; `finished_at` is set, except after a rewind
import type { RunStatus } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import type { Stamp } from '../../platform/tables.ts'
import type { RunChange, RunRow } from '../store/runs.ts'

/** The time on the clock of the database when the statement is executed, not when its transaction began. */
const now = sql<Stamp>`now_ms()`

/** The columns that describe an execution of a run, with the values that they have before the execution. */
const notExecuted = {
  credits_consumed: 0,
  cancel_requested_at: null,
  produced_at: null,
  started_at: null,
  finished_at: null,
  heartbeat_at: null,
} as const

type RunCounters = Pick<RunRow, 'generation' | 'lease' | 'changes'>

type StartFacts = {
  execute: boolean
  at: Stamp
  /** Whether this start deleted units. */
  hasDeleted: boolean
  targets: readonly string[]
  /** The id of the run whose results this start reuses; null if the start names none, so that `seed_run_id` stays as it is. */
  seed: string | null
  regenerate: readonly string[]
}

type RestFacts = {
  status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>
  error: string | null
  hasDeleted: boolean
  /** The fingerprint of the node types with which all results were checked; null if not all results were checked. */
  typesFingerprint: string | null
}

/** The columns of a checkpoint that a restore writes as they were; `targets_prepared` is absent in some checkpoints. */
type RewoundColumns = Pick<RunRow, 'status' | 'error' | 'targets'> & Partial<Pick<RunRow, 'targets_prepared'>>

/**
 * Every change of a run's status takes its columns from this table; an architecture test verifies that. Only inserts of new
 * runs set a status elsewhere. Each entry contains the columns that belong to the state of the run; callers may add others,
 * such as the definition or `finished_at`.
 */
export const columnsFor = {
  start: (run: RunCounters & Pick<RunRow, 'seed_run_id'>, started: StartFacts) =>
    ({
      ...notExecuted,
      status: started.execute ? 'queued' : 'draft',
      generation: run.generation + 1,
      lease: run.lease + 1,
      changes: run.changes + 1,
      ...(started.hasDeleted ? { last_deletion: run.changes + 1 } : {}),
      ...(started.seed === null ? {} : { types_fingerprint: null }),
      deaths: 0,
      targets: [...started.targets],
      targets_prepared: !started.execute,
      seed_run_id: started.seed ?? run.seed_run_id,
      regenerate: [...started.regenerate],
      error: null,
      worker: null,
      queued_at: started.execute ? started.at : null,
    }) satisfies RunChange,

  claim: (worker: string) =>
    ({
      status: 'running',
      lease: sql<number>`lease + 1`,
      // While a run is queued, `error` may say why it waits for a worker. The run has a worker now, so `error` is cleared.
      error: null,
      worker,
      started_at: sql<Stamp>`coalesce(started_at, now_ms())`,
      heartbeat_at: now,
      updated_at: now,
    }) satisfies RunChange,

  setAside: (why: string) => ({ error: why, updated_at: now }) satisfies RunChange,

  park: () => ({ status: 'awaiting_input', worker: null, heartbeat_at: null }) satisfies RunChange,

  answer: (run: RunCounters & Pick<RunRow, 'answers_given' | 'regenerate'>, unit: string, resumesAt: Stamp | null) =>
    ({
      changes: run.changes + 1,
      answers_given: run.answers_given + 1,
      regenerate: run.regenerate.filter((one) => one !== unit),
      ...(resumesAt === null ? {} : { status: 'queued' as const, lease: run.lease + 1, queued_at: resumesAt }),
    }) satisfies RunChange,

  requeue: (run: RunCounters, deaths: number) =>
    ({
      status: 'queued',
      lease: run.lease + 1,
      deaths,
      worker: null,
      heartbeat_at: null,
      queued_at: now,
    }) satisfies RunChange,

  rest: (run: RunCounters & Pick<RunRow, 'last_deletion' | 'types_fingerprint'>, rested: RestFacts) =>
    ({
      status: rested.status,
      error: rested.error,
      changes: run.changes + 1,
      last_deletion: rested.hasDeleted ? run.changes + 1 : run.last_deletion,
      types_fingerprint: rested.typesFingerprint ?? run.types_fingerprint,
      lease: run.lease + 1,
      regenerate: [],
      worker: null,
    }) satisfies RunChange,

  /** Written after `rest`, if the checkpoint of the run's end could not be written. */
  restUnkept: (error: string) => ({ status: 'failed', error }) satisfies RunChange,

  cancel: (at: Stamp) => ({ cancel_requested_at: at }) satisfies RunChange,

  edit: (run: RunCounters & Pick<RunRow, 'status'>) =>
    ({
      status: 'draft',
      changes: run.changes + 1,
      last_deletion: run.changes + 1,
      lease: run.lease + 1,
      ...(run.status === 'draft' ? {} : { error: null, finished_at: null, cancel_requested_at: null }),
    }) satisfies RunChange,

  rewind: (run: RunCounters, content: RewoundColumns) => {
    const status = restingStatus(content.status)
    return {
      ...notExecuted,
      status,
      error: content.error,
      targets: content.targets,
      targets_prepared: content.targets_prepared ?? status === 'draft',
      regenerate: [],
      generation: run.generation + 1,
      lease: run.lease + 1,
      changes: run.changes + 1,
      last_deletion: run.changes + 1,
      types_fingerprint: null,
    } satisfies RunChange
  },
}

/**
 * The status with which a run is restored from a checkpoint. A run that was queued or running then becomes a draft, since no
 * worker executes it now.
 */
export const restingStatus = (status: RunStatus): RunStatus =>
  status === 'queued' || status === 'running' ? 'draft' : status
