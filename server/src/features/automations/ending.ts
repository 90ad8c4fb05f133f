// In charge of deciding how an automation ends, and of the text on the card that says what happened and what to do next. Pure.
import { atRest } from '@atelier/contract/graph/run-rules.ts'
import type { LockedRun } from '../../engine/store/runs.ts'
import type { Stamp } from '../../platform/tables.ts'

/**
 * `goes_on`: the automation has not ended, so nothing is done yet. `deliver`: the run's files are put on the card, and the task is
 * moved. `failed`: the card shows `error`.
 */
export type Ending = { kind: 'goes_on' } | { kind: 'deliver' } | { kind: 'failed'; error: string }

type Run = Pick<LockedRun, 'status' | 'error' | 'deleted_at' | 'finished_at' | 'now'>
/**
 * What a card stores of its automation: the state (null: no automation has applied yet), and when the time limit began (null: no
 * run was started).
 */
type OnCard = { automation_state: string | null; automation_started_at: Stamp | null }

const failed = (error: string): Ending => ({ kind: 'failed', error })
const again = 'move the task out of this column and into it again'

/**
 * Decides whether and how an automation ends, from the state of the run that it started. `run` is undefined if that run no longer
 * exists.
 */
export function decideEnding(name: string, run: Run | undefined, card: OnCard, timeoutSeconds: number): Ending {
  if (!run) return failed(`The run of “${name}” is gone. To have another, ${again}.`)
  if (run.deleted_at !== null) return failed(`The run of “${name}” was deleted. To have another, ${again}.`)
  if (run.status === 'awaiting_input') return { kind: 'goes_on' }
  const until = atRest(run.status) ? (run.finished_at ?? run.now) : run.now
  if (
    card.automation_state !== 'awaiting_input' &&
    secondsBetween(card.automation_started_at, until) > timeoutSeconds
  ) {
    return failed(tooLate(name, timeoutSeconds))
  }
  switch (run.status) {
    case 'queued':
    case 'running':
      return { kind: 'goes_on' }
    case 'succeeded':
      return { kind: 'deliver' }
    case 'cancelled':
      return failed(`The run of “${name}” was cancelled. To have another, ${again}.`)
    case 'draft':
      return failed(
        `Somebody changed the run of “${name}” before it had ended. Start it and put its files on the card from there, or ${again}.`,
      )
    case 'failed':
      return failed(told(`The run of “${name}” failed.`, run.error ?? '', `Once that is mended, ${again}.`))
  }
}

export const tooLate = (name: string, timeoutSeconds: number): string =>
  `“${name}” was given up: its run had not ended ${inWords(timeoutSeconds)} after it was enqueued. Nothing was put on the card and the task was not moved. Look at the run: what it makes can be put on the card from there, or ${again}.`

/**
 * Returns the error for a run that succeeded, but whose delivery was refused: no file was put on the card, and the task was not
 * moved.
 */
export const notDelivered = (name: string, why: string): string =>
  told(
    `The run of “${name}” succeeded, but its result was refused.`,
    why,
    'Once that is mended, put the files on the card from the run.',
  )

/** Returns the error for a run whose files were put on the card, while the move of the task was refused. */
export const notMoved = (name: string, why: string): string =>
  told(`The files of “${name}” are on the card, but the task was not moved.`, why, 'Then move it yourself.')

export const notStarted = (name: string, why: string): string =>
  told(`“${name}” could not start.`, why, `Once that is mended, ${again}.`)

/** Joins three texts into one: what happened, why, and what to do. A reason that is too long for a card is shortened. */
function told(what: string, why: string, whatToDo: string): string {
  const short = why.length > 1000 ? `${why.slice(0, 1000).toWellFormed()}…` : why
  const reason = short === '' || /[.!?…]$/.test(short) ? short : `${short}.`
  return [what, reason, whatToDo].filter((part) => part !== '').join(' ')
}

const secondsBetween = (from: Stamp | null, to: Stamp): number =>
  from === null ? 0 : (Date.parse(to) - Date.parse(from)) / 1000

function inWords(seconds: number): string {
  if (seconds % 3600 === 0) return seconds === 3600 ? 'an hour' : `${seconds / 3600} hours`
  if (seconds % 60 === 0) return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`
  return `${seconds} seconds`
}
