// In charge of listing the differences between two definitions in a form that users can read. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { edgeName } from '@atelier/contract/graph/edge-rules.ts'
import { type Raw, rawEdges, rawNodes, readEdge } from './doc.ts'

type NodeDiff = { id: string; kind: 'added' | 'removed' | 'changed'; details: string[] }
type EdgeDiff = { name: string; kind: 'added' | 'removed'; words: string }
export type Diff = { nodes: NodeDiff[]; edges: EdgeDiff[] }

export function differences(before: Raw, after: Raw): Diff {
  const [nodesBefore, nodesAfter] = [rawNodes(before), rawNodes(after)]
  const ids = [...new Set([...Object.keys(nodesBefore), ...Object.keys(nodesAfter)])]
  const nodes = ids.flatMap((id): NodeDiff[] => {
    if (!Object.hasOwn(nodesBefore, id)) return [{ id, kind: 'added', details: [typeOf(nodesAfter[id])] }]
    if (!Object.hasOwn(nodesAfter, id)) return [{ id, kind: 'removed', details: [typeOf(nodesBefore[id])] }]
    if (sameValue(nodesBefore[id], nodesAfter[id])) return []
    return [{ id, kind: 'changed', details: changesIn(nodesBefore[id], nodesAfter[id]) }]
  })
  return { nodes, edges: edgeDiffs(before, after) }
}

export const isSame = ({ nodes, edges }: Diff): boolean => nodes.length + edges.length === 0

function edgeDiffs(before: Raw, after: Raw): EdgeDiff[] {
  const [edgesBefore, edgesAfter] = [edgeWords(before), edgeWords(after)]
  const only = (some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>, kind: EdgeDiff['kind']) =>
    [...some].filter(([name]) => !others.has(name)).map(([name, words]) => ({ name, kind, words }))
  return [...only(edgesAfter, edgesBefore, 'added'), ...only(edgesBefore, edgesAfter, 'removed')]
}

const edgeWords = (definition: Raw): Map<string, string> =>
  new Map(
    rawEdges(definition).flatMap((raw) => {
      const edge = readEdge(raw)
      if (!edge) return []
      return [[edgeName(edge), `${edge.from.node}.${edge.from.port} → ${edge.to.node}.${edge.to.port}`] as const]
    }),
  )

const typeOf = (node: unknown): string => (isPlainObject(node) && typeof node.type === 'string' ? node.type : 'node')

/** Lines such as `prompt: "Glow" → "Shine"`, one for each changed member of a node, of its params and of its inputs. */
function changesIn(before: unknown, after: unknown): string[] {
  if (!isPlainObject(before) || !isPlainObject(after)) return [`${shown(before)} → ${shown(after)}`]
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.flatMap((name) => {
    const [from, to] = [before[name], after[name]]
    if (sameValue(from, to)) return []
    if (name !== 'params' && name !== 'inputs') return [`${name}: ${shown(from)} → ${shown(to)}`]
    const [olds, news] = [isPlainObject(from) ? from : {}, isPlainObject(to) ? to : {}]
    return [...new Set([...Object.keys(olds), ...Object.keys(news)])]
      .filter((member) => !sameValue(olds[member], news[member]))
      .map((member) => `${member}: ${shown(olds[member])} → ${shown(news[member])}`)
  })
}

/** Whether two values are equal as JSON; the order of members does not matter. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((element, index) => sameValue(element, other[index]))
  if (!isPlainObject(one) || !isPlainObject(other)) return false
  const names = Object.keys(one)
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && sameValue(one[name], other[name]))
  )
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
