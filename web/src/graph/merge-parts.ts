// In charge of comparing the parts of two versions of a graph, `mine` and `theirs`, which were both made from the same earlier version.
// The parts are nodes, each with the wires into it. Pure.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { sameValue } from '../canvas/diff.ts'
import { type Raw, rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'

export type Side = 'mine' | 'theirs'
/** `before`: the earlier version from which both sides were made. */
export type Versions<T> = Record<'before' | Side, T>

export type Unit = { node: unknown; wires: readonly unknown[] }
export type Units = ReadonlyMap<string, Unit>

export const otherOf = (side: Side): Side => (side === 'mine' ? 'theirs' : 'mine')

export const mapped = <T, U>({ before, mine, theirs }: Versions<T>, change: (one: T) => U): Versions<U> => ({
  before: change(before),
  mine: change(mine),
  theirs: change(theirs),
})

/** The side that has changed a value: `clash` if both changed it in different ways, null if both sides have the same value now. */
export function sideOf({ before, mine, theirs }: Versions<unknown>): Side | 'clash' | null {
  if (sameValue(mine, theirs)) return null
  if (sameValue(before, mine)) return 'theirs'
  return sameValue(before, theirs) ? 'mine' : 'clash'
}

/** Each node with the edges that end at it. The edges keep the order of the definition, because this order matters in a run. */
export function unitsOf(definition: Raw): Units {
  const units = new Map<string, { node: unknown; wires: unknown[] }>()
  for (const [id, node] of Object.entries(rawNodes(definition))) units.set(id, { node, wires: [] })
  for (const raw of rawEdges(definition)) units.get(readEdge(raw)?.to.node ?? '')?.wires.push(raw)
  return units
}

/** The ids that occur in any of the three versions: those in `mine` first, in its order, then others in `theirs` and `before`. */
export const idsOf = ({ mine, theirs, before }: Versions<Units>): string[] => [
  ...new Set([...mine.keys(), ...theirs.keys(), ...before.keys()]),
]

/** A wire in words, such as `rows.rows → copy.row`. */
export const wireWords = ({ from, to }: GraphEdge): string => `${from.node}.${from.port} → ${to.node}.${to.port}`
