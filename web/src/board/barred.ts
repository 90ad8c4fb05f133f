// In charge of storing which tasks could not be moved to done because a label is missing, for the dialog that lists them.
import { hasCode } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'

export type Barred = { card: Card; why: string }

const barred = createStore<readonly Barred[]>([])
export const useBarred = (): readonly Barred[] => useStore(barred, (all) => all)
export const leaveBarred = (): void => barred.set([])

/** Thrown if a bulk change failed for some tasks because they lack a label; `why` maps the id of each such task to the reason. */
export class LabelsMissing extends Error {
  readonly why: ReadonlyMap<string, string>
  constructor(message: string, why: ReadonlyMap<string, string>) {
    super(message)
    this.why = why
  }
}

/** If the error is about missing labels, shows the tasks that lack one and returns true; otherwise returns false. */
export function showBarred(error: unknown, cards: readonly Card[]): boolean {
  const [only] = cards
  if (only && hasCode(error, 'label_missing')) barred.set([{ card: only, why: error.detail }])
  else if (error instanceof LabelsMissing)
    barred.set(cards.flatMap((card) => (error.why.has(card.id) ? [{ card, why: error.why.get(card.id) ?? '' }] : [])))
  else return false
  return true
}
