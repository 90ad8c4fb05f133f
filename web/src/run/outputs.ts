// In charge of listing the files of a run that can be exported to a card, and choosing some of them by default. Pure.
import { type Definition, type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { isReference } from '@atelier/contract/wire/values.ts'

/** `item`: the index of the file in the list at the port; null if the port has a single file instead of a list. */
export type Output = { key: string; node: string; port: string; item: number | null; file: FileValue }
export type OutputGroup = { node: string; port: string; outputs: Output[] }

export type Nodes = Readonly<Record<string, NodeRunState>>

/** Returns the lists of files that are too long to be included in the run. Only nodes are searched, since items have few files. */
export function longLists(nodes: Nodes): { node: string; port: string; digest: string }[] {
  return Object.entries(nodes).flatMap(([node, { outputs }]) =>
    Object.entries(outputs).flatMap(([port, value]) =>
      isReference(value) && /^\[\{"(?:digest|media_type|name|size)"/.test(value.$value.head)
        ? [{ node, port, digest: value.$value.digest }]
        : [],
    ),
  )
}

/** Returns a copy of the nodes in which one port has its full value instead of a reference to the value. */
export function withWhole(nodes: Nodes, { node, port }: { node: string; port: string }, value: unknown): Nodes {
  const state = nodes[node]
  return state ? { ...nodes, [node]: { ...state, outputs: { ...state.outputs, [port]: value } } } : nodes
}

/** Returns the files of a run, grouped by node and port; the nodes at the end of the graph come first. */
export function outputGroups(nodes: Nodes, order: readonly string[]): OutputGroup[] {
  return order.toReversed().flatMap((node) =>
    Object.entries(nodes[node]?.outputs ?? {}).flatMap(([port, value]): OutputGroup[] => {
      const outputs = filesAt(value).map(
        ({ file, item }): Output => ({ key: JSON.stringify([node, port, item]), node, port, item, file }),
      )
      return outputs.length === 0 ? [] : [{ node, port, outputs }]
    }),
  )
}

/** Returns the single file, or the files of the list. Of an element that is itself a list of files, only the first file counts. */
function filesAt(value: unknown): { file: FileValue; item: number | null }[] {
  if (isFileValue(value)) return [{ file: value, item: null }]
  if (!Array.isArray(value)) return []
  return value.flatMap((element: unknown, item) => {
    const file = Array.isArray(element) ? element.find(isFileValue) : element
    return isFileValue(file) ? [{ file, item }] : []
  })
}

/**
 * Chooses the files of nodes without outgoing edges; if these have none, the files of the first group. A file that is at two ports
 * of one node is chosen only once. Returns the keys of the chosen outputs.
 */
export function likelyOutputs(groups: readonly OutputGroup[], { edges }: Definition): ReadonlySet<string> {
  const leading = new Set(edges.map(({ from }) => from.node))
  const ends = groups.filter(({ node }) => !leading.has(node))
  const [first] = groups
  const from = ends.length > 0 ? ends : first ? [first] : []
  const seen = new Set<string>()
  return new Set(
    from
      .toSorted((one, other) => other.outputs.length - one.outputs.length)
      .flatMap(({ node, outputs }) =>
        outputs.flatMap(({ key, file }) => {
          const name = `${node} ${file.digest}`
          if (seen.has(name)) return []
          seen.add(name)
          return [key]
        }),
      ),
  )
}
