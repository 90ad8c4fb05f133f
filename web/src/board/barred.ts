// In charge of the list of tasks that cannot be moved to done because a label is missing; a dialog shows the list.
import { hasCode } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'

export type Barred = { card: Card; why: string }

const barred = createStore<readonly Barred[]>([])
export const useBarred = (): readonly Barred[] => useStore(barred, (all) => all)
export const leaveBarred = (): void => barred.set([])

/** Thrown if some tasks of a bulk change lack a label; `why` contains the reasons by task id. */
export class LabelsMissing extends Error {
  readonly why: ReadonlyMap<string, string>
  constructor(message: string, why: ReadonlyMap<string, string>) {
    super(message)
    this.why = why
  }
}

/** Shows the tasks that lack a label according to the error; returns false if the error is about something else. */
export function showBarred(error: unknown, cards: readonly Card[]): boolean {
  const [only] = cards
  if (only && hasCode(error, 'label_missing')) barred.set([{ card: only, why: error.detail }])
  else if (error instanceof LabelsMissing)
    barred.set(cards.flatMap((card) => (error.why.has(card.id) ? [{ card, why: error.why.get(card.id) ?? '' }] : [])))
  else return false
  return true
}
