// The states of a run: the one table of what each transition writes to the run's row.
//
// INVARIANTS
//  1. `generation` rises with every start, re-roll and rewind, and with nothing else. What a unit made counts for the
//     generation it was made in; an earlier one's result is checked again, and reads `cached`.
//  2. `lease` is the fencing token. It rises with every claim, and whenever a claim or a job that is under way must no
//     longer count: start, answer that resumes, requeue, rest, edit of what was asked, rewind. Every write of a worker
//     names run, generation and lease; where one of them differs it writes nothing (`LostRun`) but what it has paid for:
//     the entry in the ledger, the sums of credits with it, and the cache by the key of the call.
//  3. A queued run has a job for its lease, or stands in `stranded_runs`; the reconciler sends what was lost.
//  4. A worker holds a run only while it is running: `worker` and a fresh `heartbeat_at` go with that status.
//  5. Nothing is under way in a run that is parked or at rest: no ledger entry is open, no key of the cache is claimed.
//  6. `changes` counts saves. Whoever writes units raises it in the same transaction, so that a reader who holds a count
//     finds what came after; `last_deletion` is the newest of them that deleted units.
//  7. Credits are never taken back: `credits_total` only grows. `credits_consumed` is of the present generation.
//  8. A choice of a take pays nothing: a start sets the roll back only where the key of the call is then that of the take.
//  9. An exported run is a record: start makes a fork of it; edit, answer and rewind are refused.
//
//            create, fork                                   answer (the last open one)
//                 │                                  ┌──────────────────────────────────┐
//                 ▼      start            claim      ▼     park                         │
//               draft ──────────▶ queued ────────▶ running ──────▶ awaiting_input ──────┘
//                 ▲  ▲              ▲  ▲             │  │ │             │   │
//     execute:    │  │ edit,        │  └─────────────┘  │ │             │   │ start: queued again
//     false       │  │ rewind       │ requeue (worker   │ │ rest        │   │ edit: draft
//                 │  │              │ lost or stopping) │ ▼             │ rest (cancel)
//                 └──┴── start ─────┴──────── succeeded · failed · cancelled
//
// TRANSITIONS (who decides: contract/src/graph/run-rules.ts; who writes: the function named; columns: `columnsFor` below)
//   create    → draft             create.ts createRun, start.ts fork, start-many.ts (queued at once, set-based)
//   start     any resting or parked → queued, or draft where it is prepared only     start.ts       generation, lease
//   claim     queued → running                                                       claim.ts       lease
//   setAside  queued, stays: no worker has its node types, or it waits to be alone   claim.ts
//   park      running → awaiting_input                                               rest.ts
//   answer    awaiting_input → queued with the last answer; else stays               answer.ts      lease if it resumes
//   requeue   running → queued: worker lost or stopping                              rest.ts        lease
//   rest      running, queued, awaiting_input → succeeded, failed, cancelled         rest.ts        lease
//   cancel    stays; asks whoever has it to stop, else rest follows                  cancel.ts
//   edit      resting or parked → draft where what was made no longer follows        edit.ts        lease
//   rewind    resting or parked → as it stood (a busy one as draft)                  history.ts     generation, lease
//
// WHAT EACH STATE GUARANTEES
//   draft           not executed since it was made, edited, prepared or rewound; no error, no end
//   queued          `queued_at` is set; `error` is null, or says which worker it waits for
//   running         `worker`, `started_at` and `heartbeat_at` are set
//   awaiting_input  at least one unit asks; no worker; `started_at` is set
//   succeeded       every needed unit has outputs or was skipped on purpose; `finished_at` is set unless it was rewound to
//   failed          `error` says what failed first, and what to do
//   cancelled       `error` is null
import type { RunStatus } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import type { Stamp } from '../../platform/tables.ts'
import type { RunChange, RunRow } from '../store/runs.ts'

/** The database's time, at the statement that uses it. */
const now = sql<Stamp>`now_ms()`

/** The columns that describe an execution, empty before there is one. */
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
  /** The run to seed from, named by this start; null keeps the present one. */
  seed: string | null
  regenerate: readonly string[]
}

type RestFacts = {
  status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>
  error: string | null
  hasDeleted: boolean
  /** Fingerprint of the node types under which everything was checked; null where not everything was. */
  typesFingerprint: string | null
}

/**
 * Nothing else sets the status of a run, which an architecture test verifies. Each entry is everything that its transition
 * writes.
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
      // The old error may say why the run waited for a worker.
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

  /** Written after `rest`, where the checkpoint could not be written. */
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

  rewind: (run: RunCounters, content: Pick<RunRow, 'status' | 'error' | 'targets'>) => {
    const status = restingStatus(content.status)
    return {
      ...notExecuted,
      status,
      error: content.error,
      targets: content.targets,
      targets_prepared: status === 'draft',
      regenerate: [],
      generation: run.generation + 1,
      lease: run.lease + 1,
      changes: run.changes + 1,
      last_deletion: run.changes + 1,
      types_fingerprint: null,
    } satisfies RunChange
  },
}

/** A run that was queued or running when its checkpoint was written is restored as a draft: no worker executes it. */
export const restingStatus = (status: RunStatus): RunStatus =>
  status === 'queued' || status === 'running' ? 'draft' : status
