// In charge of the order and the names of takes. Pure.
import type { Take } from '@atelier/contract/runs.ts'

/** The oldest first: a take stays where it is when another comes. */
export const takesInOrder = (takes: readonly Take[]): Take[] =>
  takes.toSorted((one, other) => one.made_at.localeCompare(other.made_at) || one.generation - other.generation)

/** `Take 2`: its place among those that are still there. */
export const takeName = (takes: readonly Take[], { id }: Take): string =>
  `Take ${takes.findIndex((one) => one.id === id) + 1}`
