// In charge of storing which tasks could not be moved to done, for the dialog that lists them: tasks with creatives that lack the
// visible AI label which their market requires.
import { hasCode } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'

export type Barred = { card: Card; why: string }

const barred = createStore<readonly Barred[]>([])
export const useBarred = (): readonly Barred[] => useStore(barred, (all) => all)
export const leaveBarred = (): void => barred.set([])

/** The error of a move if missing labels are the reason for every task that was not moved. `why`: the reason, by the task's id. */
export class LabelsMissing extends Error {
  readonly why: ReadonlyMap<string, string>
  constructor(message: string, why: ReadonlyMap<string, string>) {
    super(message)
    this.why = why
  }
}

/** If the error says that labels are missing, opens the dialog with the tasks of `cards` that lack a label, and returns true. */
export function showBarred(error: unknown, cards: readonly Card[]): boolean {
  const [only] = cards
  if (only && hasCode(error, 'label_missing')) barred.set([{ card: only, why: error.detail }])
  else if (error instanceof LabelsMissing)
    barred.set(cards.flatMap((card) => (error.why.has(card.id) ? [{ card, why: error.why.get(card.id) ?? '' }] : [])))
  else return false
  return true
}
