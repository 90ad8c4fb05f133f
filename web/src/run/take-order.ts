// In charge of the order and the names of takes, which are the results that a node or item had after each roll. Pure.
import type { Take } from '@atelier/contract/runs.ts'

/** Sorts the oldest take first, so that each take keeps its place when a new one is added. */
export const takesInOrder = (takes: readonly Take[]): Take[] =>
  takes.toSorted((one, other) => one.made_at.localeCompare(other.made_at) || one.generation - other.generation)

/** Returns for example `Take 2`. The number is the position among the takes that still exist. */
export const takeName = (takes: readonly Take[], { id }: Take): string =>
  `Take ${takes.findIndex((one) => one.id === id) + 1}`
