// In charge of the order and the names of takes; a take is the result of one roll of a node or item. Pure.
import type { Take } from '@atelier/contract/runs.ts'

/** Sorts the takes, the oldest first, so that each take keeps its place when a new one is added. */
export const takesInOrder = (takes: readonly Take[]): Take[] =>
  takes.toSorted((one, other) => one.made_at.localeCompare(other.made_at) || one.generation - other.generation)

/** Returns a name such as `Take 2`. The number is the position of the take in `takes`, which are those that still exist. */
export const takeName = (takes: readonly Take[], { id }: Take): string =>
  `Take ${takes.findIndex((one) => one.id === id) + 1}`
