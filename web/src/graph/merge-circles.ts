// In charge of the circles that wires of two versions of a graph make together, though neither version has them, and of leaving out
// wires so that no circle remains. Pure.
import { findCycles } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { type Raw, rawEdges, readEdge, withParts } from '../canvas/doc.ts'
import { type Side, wireWords } from './merge-parts.ts'

/** All wires from one node of a circle to the next one, which only the version `side` has. `name` identifies the link. */
type Link = { name: string; side: Side; wires: string[] }
/** `path`: the ids of the nodes; it starts and ends at the same node. `left`: the name of the link that is left out; null if none is yet. */
export type Circle = { path: string[]; links: Link[]; left: string | null }

/**
 * Finds the circles in a merged definition which neither of both sides has, each with the links that only one side has: there is at
 * least one of each side. In circles with a link that is named in `leftOut`, its wires are removed from the returned definition.
 * `nameOf`: what a node is called where a circle is shown.
 */
export function withoutCircles(
  merged: Raw,
  sides: Readonly<Record<Side, Raw>>,
  leftOut: ReadonlySet<string>,
  nameOf = (id: string): string => id,
): { definition: Raw; circles: Circle[] } {
  const linked = { mine: linksIn(sides.mine), theirs: linksIn(sides.theirs) }
  const settled: Circle[] = []
  let definition = merged
  // Without the wires that are left out of a circle, another one may be found among the same nodes.
  for (;;) {
    const circles = circlesIn(definition, linked, leftOut, nameOf)
    const broken = circles.filter(({ left }) => left !== null)
    if (broken.length === 0) return { definition, circles: [...settled, ...circles] }
    settled.push(...broken)
    const edges = rawEdges(definition).filter((raw) => {
      const link = linkOf(raw)
      return link === null || broken.every(({ left }) => left !== link)
    })
    definition = withParts(definition, { edges })
  }
}

function circlesIn(
  definition: Raw,
  linked: Readonly<Record<Side, ReadonlySet<string>>>,
  leftOut: ReadonlySet<string>,
  nameOf: (id: string) => string,
): Circle[] {
  const wires = Map.groupBy(rawEdges(definition), linkOf)
  return findCycles(readDefinition(definition)).flatMap((path) => {
    const links = path.slice(1).flatMap((to, at): Link[] => {
      const name = JSON.stringify([path[at], to])
      const [isMine, isTheirs] = [linked.mine.has(name), linked.theirs.has(name)]
      if (isMine === isTheirs) return []
      const words = (wires.get(name) ?? []).map(readEdge).flatMap((edge) => (edge ? [wireWords(edge, nameOf)] : []))
      return [{ name, side: isMine ? 'mine' : 'theirs', wires: words }]
    })
    // A circle whose links one side has all is not the merge’s: it stands among the issues of that version.
    if (new Set(links.map(({ side }) => side)).size < 2) return []
    return [{ path: path.map(nameOf), links, left: links.find(({ name }) => leftOut.has(name))?.name ?? null }]
  })
}

const linksIn = (definition: Raw): ReadonlySet<string> =>
  new Set(rawEdges(definition).flatMap((raw) => linkOf(raw) ?? []))

/** The name of the link to which an edge belongs; null if the edge cannot be parsed. */
function linkOf(raw: unknown): string | null {
  const edge = readEdge(raw)
  return edge && JSON.stringify([edge.from.node, edge.to.node])
}
