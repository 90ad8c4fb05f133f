// In charge of listing the files of a run that can be exported to a card, and of preselecting likely ones. Pure.
import { type Definition, type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { isReference } from '@atelier/contract/wire/values.ts'

/** A file at an output port of a node. `item`: the index of the file in the list at the port; null if the port has no list. */
export type Output = { key: string; node: string; port: string; item: number | null; file: FileValue }
export type OutputGroup = { node: string; port: string; outputs: Output[] }

export type Nodes = Readonly<Record<string, NodeRunState>>
export type WholeList = { node: string; port: string; value: unknown }

/**
 * Returns the lists of files that are too long for the run's state, which has references in their place. Only the outputs of whole
 * nodes are searched, because a single item has few files.
 */
export function longLists(nodes: Nodes): { node: string; port: string; digest: string }[] {
  return Object.entries(nodes).flatMap(([node, { outputs }]) =>
    Object.entries(outputs).flatMap(([port, value]) =>
      isReference(value) && /^\[\{"(?:digest|media_type|name|size)"/.test(value.$value.head)
        ? [{ node, port, digest: value.$value.digest }]
        : [],
    ),
  )
}

/** Returns a copy of the nodes in which the ports of these lists have the lists instead of references to them. */
export function withWhole(nodes: Nodes, lists: readonly WholeList[]): Nodes {
  const whole: Record<string, NodeRunState> = { ...nodes }
  for (const { node, port, value } of lists) {
    const state = whole[node]
    if (state) whole[node] = { ...state, outputs: { ...state.outputs, [port]: value } }
  }
  return whole
}

/** Returns the files of a run, grouped by node and port, with the last node of `order` (the nodes in graph order) first. */
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

/** Returns the file or the files in `value`. If an element of a list is itself a list, only the first file of it is returned. */
function filesAt(value: unknown): { file: FileValue; item: number | null }[] {
  if (isFileValue(value)) return [{ file: value, item: null }]
  if (!Array.isArray(value)) return []
  return value.flatMap((element: unknown, item) => {
    const file = Array.isArray(element) ? element.find(isFileValue) : element
    return isFileValue(file) ? [{ file, item }] : []
  })
}

/**
 * Returns the keys of the outputs to preselect: the files of nodes without outgoing edges or, if these nodes have no files, the
 * files of the first group. A file at two ports of one node is selected only once, at the port with more files.
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
