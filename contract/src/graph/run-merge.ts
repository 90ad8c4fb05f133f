// In charge of merging the changes that the server sends for a run into a client's copy of that run. Pure.
import type { GraphRun, NodeRunState } from '../graphs.ts'
import type { NodeChanges, RunChanges } from '../runs.ts'

/** Returns the run with the changes applied. Nodes and items that have not changed are the same objects as before. */
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

/** Returns for each port the outputs of all items, in the order of the items; null for an item that has no output at the port. */
export function outputLists(items: NodeRunState['items']): Record<string, unknown[]> {
  const all = Object.values(items)
  const ports = new Set(all.flatMap(({ outputs }) => Object.keys(outputs)))
  return Object.fromEntries([...ports].map((port) => [port, all.map(({ outputs }) => outputs[port] ?? null)]))
}
