// In charge of what can be done with several selected cards, for the command palette: the bar of the selection says it, since the
// palette is outside of the board and does not know its columns.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import { useEffect } from 'react'

/** The priorities that tasks can have, the most urgent first. */
export const priorities = [1, 2, 3, 4, 5] as const

/** `count`: of how many cards. Each action is for the selected cards that are on the board when it is performed. */
export type ManyActs = {
  count: number
  move: (to: TaskStatus) => void
  /** `name`: what the message says after it. */
  assign: (person: string | null, name: string) => void
  setPriority: (priority: number | null) => void
  remove: () => void
}

let offered: ManyActs | null = null

/** Offers these actions while the calling component is shown. */
export function useOfferMany(acts: ManyActs): void {
  // After each render, because the actions are of the board as it is then.
  useEffect(() => {
    offered = acts
    return () => {
      offered = null
    }
  })
}

/** The actions for the selected cards; null if not more than one card is selected: what is done with that one, its card offers. */
export const manyActs = (): ManyActs | null => (offered !== null && offered.count > 1 ? offered : null)
