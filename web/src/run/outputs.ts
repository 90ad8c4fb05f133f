// In charge of listing the files of a run that can be exported to a card, and of preselecting likely ones. Pure.
import { type Definition, type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { isReference } from '@atelier/contract/wire/values.ts'

/**
 * A file at an output port of a node. `item`: the index of the file, or of the item that has it, in the list at the port; null if the
 * port has no list. `index`: the index of the file in the list of its item; null unless the item has several files.
 */
export type Output = {
  key: string
  node: string
  port: string
  item: number | null
  index: number | null
  file: FileValue
}
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
  return order.toReversed().flatMap((node) => {
    const { outputs: made = {}, items = {} } = nodes[node] ?? {}
    const hasItems = Object.keys(items).length > 0
    return Object.entries(made).flatMap(([port, value]): OutputGroup[] => {
      const outputs = filesAt(value, hasItems).map(
        (at): Output => ({ key: JSON.stringify([node, port, at.item, at.index]), node, port, ...at }),
      )
      return outputs.length === 0 ? [] : [{ node, port, outputs }]
    })
  })
}

/**
 * Returns the file or the files in `value`. If the node has items, an element of a list may itself be a list: the files of one item.
 * Of any other node, the service exports no files in lists of lists.
 */
function filesAt(value: unknown, hasItems: boolean): Pick<Output, 'item' | 'index' | 'file'>[] {
  if (isFileValue(value)) return [{ item: null, index: null, file: value }]
  if (!Array.isArray(value)) return []
  return value.flatMap((element: unknown, item): ReturnType<typeof filesAt> => {
    if (isFileValue(element)) return [{ item, index: null, file: element }]
    if (!hasItems || !Array.isArray(element)) return []
    const files = element.flatMap((file: unknown, index) => (isFileValue(file) ? [{ item, index, file }] : []))
    return files.length === 1 ? files.map((one) => ({ ...one, index: null })) : files
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
