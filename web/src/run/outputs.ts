// In charge of which files of a run can be put on a card, and which of them somebody most likely means. Pure.
import { type Definition, type FileValue, isFileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'
import { isReference } from '@atelier/contract/wire/values.ts'

/** `item`: its place in the node's list; null where the node gives one file. */
export type Output = { key: string; node: string; port: string; item: number | null; file: FileValue }
export type OutputGroup = { node: string; port: string; outputs: Output[] }

export type Nodes = Readonly<Record<string, NodeRunState>>

/** Lists of files that are too long to stand in a run: nodes have them, not items, which give few files each. */
export function longLists(nodes: Nodes): { node: string; port: string; digest: string }[] {
  return Object.entries(nodes).flatMap(([node, { outputs }]) =>
    Object.entries(outputs).flatMap(([port, value]) =>
      isReference(value) && /^\[\{"(?:digest|media_type|name|size)"/.test(value.$value.head)
        ? [{ node, port, digest: value.$value.digest }]
        : [],
    ),
  )
}

/** The nodes with a value put where it stands short. */
export function withWhole(nodes: Nodes, { node, port }: { node: string; port: string }, value: unknown): Nodes {
  const state = nodes[node]
  return state ? { ...nodes, [node]: { ...state, outputs: { ...state.outputs, [port]: value } } } : nodes
}

/** By node and port, the last nodes of the graph first. */
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

/** A file by itself, or the files of a list: of a node that runs over lists, those of an item count as one. */
function filesAt(value: unknown): { file: FileValue; item: number | null }[] {
  if (isFileValue(value)) return [{ file: value, item: null }]
  if (!Array.isArray(value)) return []
  return value.flatMap((element: unknown, item) => {
    const file = Array.isArray(element) ? element.find(isFileValue) : element
    return isFileValue(file) ? [{ file, item }] : []
  })
}

/** The files nothing leads on from; a gate that hands on both all and the first of what was picked means all. */
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
