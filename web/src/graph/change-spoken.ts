// In charge of saying in words what a change has added to a graph or removed from it, for users who do not see the canvas. Pure.
import type { GraphEdge } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { annotationName, annotationOf } from '../canvas/annotations.ts'
import { rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'
import type { Doc } from '../canvas/layout.ts'

/** What has come, gone or been renamed between `before` and `after`; empty if only values, places or texts differ. */
export function changeSpoken(before: Doc, after: Doc): string {
  if (before.definition === after.definition && before.annotations === after.annotations) return ''
  const [old, now] = [rawNodes(before.definition), rawNodes(after.definition)]
  const [gone, come] = [without(old, now), without(now, old)]
  const [from = '', to = ''] = [gone[0], come[0]]
  if (gone.length === 1 && come.length === 1 && old[from] === now[to]) return `Renamed “${from}” to “${to}”.`
  // That the edges of a removed node go with it need not be said.
  const cut = edgesOnlyIn(before, after).filter(({ from, to }) => has(now, from.node) && has(now, to.node))
  const joined = edgesOnlyIn(after, before)
  return [
    ...sentence('Added', [...come.map(quoted), ...annotationsOnlyIn(after, before)]),
    ...sentence('Removed', [...gone.map(quoted), ...annotationsOnlyIn(before, after)]),
    ...sentence('Removed the edge from', cut.map(edgeWords)),
    ...sentence('Connected', joined.map(edgeWords)),
  ].join(' ')
}

const without = (ones: object, others: object): string[] =>
  ones === others ? [] : Object.keys(ones).filter((id) => !has(others, id))

const annotationsOnlyIn = ({ annotations }: Doc, other: Doc): string[] =>
  without(annotations, other.annotations).flatMap((id) => {
    const annotation = annotationOf(annotations, id)
    return annotation ? [annotationName(annotation)] : []
  })

function edgesOnlyIn({ definition }: Doc, other: Doc): GraphEdge[] {
  // While the user types a value, the edges stay the same, and may be thousands.
  if (rawEdges(definition) === rawEdges(other.definition)) return []
  const others = new Set(edgesOf(other).map(edgeName))
  return edgesOf({ definition }).filter((edge) => !others.has(edgeName(edge)))
}

const edgesOf = ({ definition }: Pick<Doc, 'definition'>): GraphEdge[] =>
  rawEdges(definition).flatMap((raw) => readEdge(raw) ?? [])

const has = (nodes: object, id: string): boolean => Object.hasOwn(nodes, id)

const quoted = (id: string): string => `“${id}”`

const edgeWords = ({ from, to }: GraphEdge): string =>
  `“${from.port}” of “${from.node}” to “${to.port}” of “${to.node}”`

/** How many names a sentence has at most; of the others it has the number. */
const most = 3

function sentence(verb: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const rest = names.length - most
  return [`${verb} ${names.slice(0, most).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`]
}
