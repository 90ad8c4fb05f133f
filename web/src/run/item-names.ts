// In charge of the name under which an item of a node is shown: a short text from the list elements that it was made from. Pure.
import { type Definition, isFileValue, isPlainObject } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'

const longest = 60

/**
 * Goes up the graph, from each node to the node whose list it processed element by element, and looks at the element with the index
 * `item` in each of these lists. Returns the first short text in the topmost element that is a table row; or else the nearest
 * element that is a short text; or else a text such as `item 3`.
 */
export function nameOfItem(
  { nodes, edges }: Definition,
  states: Readonly<Record<string, Pick<NodeRunState, 'outputs'>>>,
  node: string,
  item: number,
): string {
  let row: string | null = null
  let text: string | null = null
  const seen = new Set<string>()
  for (let at: string | undefined = node; at !== undefined && !seen.has(at); ) {
    seen.add(at)
    const each: readonly string[] = nodes[at]?.each ?? []
    const edge: Definition['edges'][number] | undefined = edges.find(
      ({ to }) => to.node === at && each.includes(to.port),
    )
    const list = edge && states[edge.from.node]?.outputs[edge.from.port]
    const element: unknown = Array.isArray(list) ? list[item] : undefined
    row = rowWords(element) ?? row
    text ??= shortText(element)
    at = edge?.from.node
  }
  return row ?? text ?? `item ${item + 1}`
}

const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest ? value : null

/** Returns the first short text in a row, which is usually in the first column. */
function rowWords(value: unknown): string | null {
  if (!isPlainObject(value) || isFileValue(value)) return null
  for (const member of Object.values(value)) {
    const words = shortText(member)
    if (words !== null) return words
  }
  return null
}
