// In charge of comparing the parts of two versions of a graph, `mine` and `theirs`, which were both made from the same earlier version.
// The parts are nodes, each with the wires into it. Pure.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { sameValue } from '../canvas/diff.ts'
import { type Raw, rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'

export type Side = 'mine' | 'theirs'
/** `before`: the earlier version from which both sides were made. */
export type Versions<T> = Record<'before' | Side, T>

/** `name`: the id that the node has in this version itself; the versions have been given common ids, which may differ from it. */
export type Unit = { node: unknown; wires: readonly unknown[]; name: string }
export type Units = ReadonlyMap<string, Unit>
/** Ids of nodes by other ids of the same nodes. */
export type Names = ReadonlyMap<string, string>

export const otherOf = (side: Side): Side => (side === 'mine' ? 'theirs' : 'mine')

export const mapped = <T, U>({ before, mine, theirs }: Versions<T>, change: (one: T) => U): Versions<U> => ({
  before: change(before),
  mine: change(mine),
  theirs: change(theirs),
})

type Changed = Side | 'clash' | null

/** The side that has changed a value: `clash` if both changed it in different ways, null if both sides have the same value now. */
export function sideOf({ before, mine, theirs }: Versions<unknown>): Changed {
  if (sameValue(mine, theirs)) return null
  if (sameValue(before, mine)) return 'theirs'
  return sameValue(before, theirs) ? 'mine' : 'clash'
}

/**
 * The side that has changed what a unit says, and the side that has changed its name. Each is decided on its own while both sides have
 * the unit, so that a new name and another change go together; a node that one side removed is removed together with its name.
 */
export function sidesOf(ones: Versions<Unit | undefined>): { content: Changed; name: Changed } {
  if (!ones.mine || !ones.theirs) return { content: sideOf(ones), name: sideOf(ones) }
  return {
    content: sideOf(mapped(ones, (one) => one && [one.node, one.wires])),
    name: sideOf(mapped(ones, (one) => one?.name)),
  }
}

/** The unit as both sides together have it; where both changed the same of it, it is that of `chosen`. */
export function joinedUnit(ones: Versions<Unit | undefined>, chosen: Side): Unit | undefined {
  const { content, name } = sidesOf(ones)
  const from = (side: Changed) => ones[side === 'clash' ? chosen : (side ?? 'mine')]
  const unit = from(content)
  return unit && { ...unit, name: from(name)?.name ?? unit.name }
}

/** Each node with the edges that end at it. The edges keep the order of the definition, because this order matters in a run. */
export function unitsOf({ definition, names }: { definition: Raw; names: Names }): Units {
  const units = new Map<string, { node: unknown; wires: unknown[]; name: string }>()
  for (const [id, node] of Object.entries(rawNodes(definition)))
    units.set(id, { node, wires: [], name: names.get(id) ?? id })
  for (const raw of rawEdges(definition)) units.get(readEdge(raw)?.to.node ?? '')?.wires.push(raw)
  return units
}

/** The ids that occur in any of the three versions: those in `mine` first, in its order, then others in `theirs` and `before`. */
export const idsOf = ({ mine, theirs, before }: Versions<Units>): string[] => [
  ...new Set([...mine.keys(), ...theirs.keys(), ...before.keys()]),
]

/** A wire in words, such as `rows.rows → copy.row`, with its nodes as `nameOf` calls them. */
export const wireWords = ({ from, to }: GraphEdge, nameOf: (id: string) => string): string =>
  `${nameOf(from.node)}.${from.port} → ${nameOf(to.node)}.${to.port}`
