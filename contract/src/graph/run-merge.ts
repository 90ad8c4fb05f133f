// In charge of a run that is held and kept up to date by what changed of it, as the server tells it. Pure.
import type { GraphRun, NodeRunState } from '../graphs.ts'
import type { NodeChanges, RunChanges } from '../runs.ts'

/** The run as it stands now. Nodes and items of which nothing changed stay the same objects. */
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

/** What a node that runs once per element gives: port → what its items gave, in their order; null where one gave nothing. */
export function outputLists(items: NodeRunState['items']): Record<string, unknown[]> {
  const all = Object.values(items)
  const ports = new Set(all.flatMap(({ outputs }) => Object.keys(outputs)))
  return Object.fromEntries([...ports].map((port) => [port, all.map(({ outputs }) => outputs[port] ?? null)]))
}
