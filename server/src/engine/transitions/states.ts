// The states of a run: the only table of what each transition writes to the run's row.
//
// INVARIANTS
//  1. Every start, re-roll and rewind increases `generation`; nothing else does. A unit's result belongs to the generation
//     in which it was made. In a later generation it has to be checked again; if it is still valid, its status is `cached`.
//  2. `lease` is the fencing token. It increases with every claim, and whenever earlier claims or jobs must become invalid:
//     start, an answer that resumes, requeue, rest, an edit that invalidates results, rewind. Every write of a worker has
//     run, generation and lease as a condition. If one of them differs, the worker writes nothing (`LostRun`), except for
//     what it has paid for: the ledger entry, the sums of credits, and the cache entry of the call.
//  3. A queued run has a job for its lease, or a row in `stranded_runs`; the reconciler sends lost jobs again.
//  4. A run belongs to a worker only while its status is running: then it has a `worker` and a recent `heartbeat_at`.
//  5. In a parked or finished run nothing is in progress: no ledger entry is open, no cache key is claimed.
//  6. `changes` counts saves. A transaction that writes units increases it, so that a reader who knows an earlier count
//     can find what was written after it; `last_deletion` is the count of the last save that deleted units.
//  7. Spent credits stay spent: `credits_total` only grows. `credits_consumed` is for the present generation.
//  8. Choosing a take costs nothing: a start sets its roll only if the call then has the cache key of the take.
//  9. An exported run is a permanent record: a start creates a fork of it; edit, answer and rewind are refused.
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
// TRANSITIONS. Columns: name; from → to; the file that writes it; the counters it increases. The functions of run-rules.ts
// in contract/src/graph decide whether a transition is allowed; `columnsFor` below has the written columns.
//   create    → draft             create.ts createRun, start.ts fork, start-many.ts (queued at once, set-based)
//   start     draft, parked or finished → queued, or draft if it is only prepared    start.ts       generation, lease
//   claim     queued → running                                                       claim.ts       lease
//   setAside  stays queued: no worker has its node types, or it has to run alone     claim.ts
//   park      running → awaiting_input                                               rest.ts
//   answer    awaiting_input → queued with the last answer; otherwise no change      answer.ts      lease if it resumes
//   requeue   running → queued: its worker was lost or is stopping                   rest.ts        lease
//   rest      running, queued, awaiting_input → succeeded, failed, cancelled         rest.ts        lease
//   cancel    no change: requests its worker to stop; without a worker, rest follows cancel.ts
//   edit      draft, parked or finished → draft if results became invalid            edit.ts        lease
//   rewind    draft, parked or finished → status of the checkpoint (draft if busy)   history.ts     generation, lease
//
// WHAT EACH STATE GUARANTEES
//   draft           not executed since it was created, edited, prepared or rewound; no error, no end
//   queued          `queued_at` is set; `error` is null, or says which worker the run waits for
//   running         `worker`, `started_at` and `heartbeat_at` are set
//   awaiting_input  at least one unit has an open question; no worker; `started_at` is set
//   succeeded       every needed unit has outputs or was skipped on purpose; `finished_at` is set, except after a rewind
//   failed          `error` says what failed first, and what to do
//   cancelled       `error` is null
import type { RunStatus } from '@atelier/contract/enums.ts'
import { sql } from 'kysely'
import type { Stamp } from '../../platform/tables.ts'
import type { RunChange, RunRow } from '../store/runs.ts'

/** The database's time when the statement is executed. */
const now = sql<Stamp>`now_ms()`

/** The columns that describe an execution, with their values before one. */
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
  /** The run whose results this start reuses; null keeps the present one. */
  seed: string | null
  regenerate: readonly string[]
}

type RestFacts = {
  status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>
  error: string | null
  hasDeleted: boolean
  /** The fingerprint of the node types with which everything was checked; null if not everything was checked. */
  typesFingerprint: string | null
}

/**
 * Only this table sets the status of a run, which an architecture test verifies. Each entry contains every column that
 * its transition writes.
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

  /** Written after `rest`, if the checkpoint could not be written. */
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
