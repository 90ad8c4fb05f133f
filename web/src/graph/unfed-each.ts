// In charge of the ports in `each` of nodes whose edges are removed: a node cannot run over a list that it no longer gets. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { eachOf, membersOf, type Raw, rawEdges, rawNodes, readEdge, withParts } from '../canvas/doc.ts'

/**
 * The definition `after`, in which no port remains in `each` that had an edge in `before` and now has neither an edge nor a value.
 * Ports that had no edge before remain: users may turn them on first, and connect the list afterwards.
 */
export function withoutUnfedEach(after: Raw, before: Raw): Raw {
  if (after === before) return after
  const [had, has] = [feedsOf(before), feedsOf(after)]
  const entries = Object.entries(rawNodes(after)).map(([id, node]) => {
    const each = eachOf(node)
    const fed = each.filter((port) => {
      const end = JSON.stringify([id, port])
      return !had.has(end) || has.has(end) || Object.hasOwn(membersOf(node, 'inputs'), port)
    })
    return fed.length < each.length && isPlainObject(node)
      ? ([id, { ...node, each: fed }] as const)
      : ([id, node] as const)
  })
  const isSame = entries.every(([id, node]) => node === rawNodes(after)[id])
  return isSame ? after : withParts(after, { nodes: Object.fromEntries(entries) })
}

/** The input ports to which edges lead. */
const feedsOf = (definition: Raw): ReadonlySet<string> =>
  new Set(
    rawEdges(definition).flatMap((raw) => {
      const to = readEdge(raw)?.to
      return to ? [JSON.stringify([to.node, to.port])] : []
    }),
  )
