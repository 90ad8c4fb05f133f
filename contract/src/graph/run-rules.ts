// In charge of deciding which actions are allowed on a run in its present state. The server and the web app use the same functions.
import type { RunStatus } from '../enums.ts'
import type { RefusalCode } from '../wire/errors.ts'

export type RunStanding = { status: RunStatus; exported_at: string | null; deleted_at: string | null }

export const busy = (status: RunStatus): boolean => status === 'queued' || status === 'running'
export const atRest = (status: RunStatus): boolean =>
  status === 'succeeded' || status === 'failed' || status === 'cancelled'

const deleted = (run: RunStanding): RefusalCode | null => (run.deleted_at === null ? null : 'run_deleted')
const whileBusy = (run: RunStanding): RefusalCode | null => (busy(run.status) ? 'run_busy' : null)
const onceExported = (run: RunStanding): RefusalCode | null => (run.exported_at === null ? null : 'run_exported')

/** Each action's function returns the code with which the run refuses that action, or null if the action is allowed. */
export const runRefuses = {
  /** Exported runs are not refused here: starting one creates a fork. */
  start: (run: RunStanding) => deleted(run) ?? whileBusy(run),
  edit: (run: RunStanding) => deleted(run) ?? onceExported(run) ?? whileBusy(run),
  /**
   * Allowed in every status, even after an export. Pinning changes only the task to which exports go by default; that task is
   * not part of an exported result.
   */
  pin: deleted,
  answer: (run: RunStanding) =>
    deleted(run) ??
    onceExported(run) ??
    (run.status === 'awaiting_input' || busy(run.status) ? null : 'no_open_question'),
  /** Cancelling a finished run succeeds and changes nothing. */
  cancel: deleted,
  export: (run: RunStanding) => deleted(run) ?? (atRest(run.status) ? null : 'run_not_at_rest'),
  rewind: (run: RunStanding) => deleted(run) ?? onceExported(run) ?? whileBusy(run),
  promote: deleted,
  delete: whileBusy,
} as const satisfies Record<string, (run: RunStanding) => RefusalCode | null>
