// In charge of merging the changes of a run that the server sends into a client's copy. Pure.
import type { GraphRun, NodeRunState } from '../graphs.ts'
import type { NodeChanges, RunChanges } from '../runs.ts'

/** Returns the run after the changes. Nodes and items without changes stay the same objects. */
export function mergeRun(held: GraphRun | null, { whole, run, nodes: changed }: RunChanges): GraphRun {
  const before = whole ? {} : (held?.nodes ?? {})
  const ids = Object.keys(changed)
  const merged = Object.fromEntries(Object.entries(changed).map(([id, node]) => [id, mergeNode(before[id], node)]))
  return {
    ...run,
    definition: run.definition ?? held?.definition ?? {},
    ui_state: run.ui_state ?? held?.ui_state ?? {},
    answers: run.answers ?? held?.answers ?? {},
    nodes: ids.length === 0 ? before : { ...before, ...merged },
  }
}

function mergeNode(held: NodeRunState | undefined, { item_count, ...node }: NodeChanges): NodeRunState {
  if (item_count === null) return node
  const items = { ...held?.items, ...node.items }
  return { ...node, items, outputs: outputLists(items) }
}

/** The outputs of a node that runs once per element: port → its items' outputs, in their order; null where an item has none. */
export function outputLists(items: NodeRunState['items']): Record<string, unknown[]> {
  const all = Object.values(items)
  const ports = new Set(all.flatMap(({ outputs }) => Object.keys(outputs)))
  return Object.fromEntries([...ports].map((port) => [port, all.map(({ outputs }) => outputs[port] ?? null)]))
}
