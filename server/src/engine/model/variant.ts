// In charge of runs for one variant of their task. The variant is written into the params of the nodes that read the task,
// so that the run's own definition shows it and forks inherit it. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'

/**
 * The node type that reads the run's task, and the param with which it selects a variant. If the param is 0 or absent, the
 * node reads the whole task.
 */
const reader = 'task.fields'
const param = 'variant'

/** Sets the variant in each node that reads the task; null removes it from them. Returns the same object if nothing changes. */
export function forVariant(definition: Record<string, unknown>, variant: number | null): Record<string, unknown> {
  if (!isPlainObject(definition.nodes)) return definition
  let isChanged = false
  const nodes = Object.entries(definition.nodes).map(([id, node]) => {
    if (!isPlainObject(node) || node.type !== reader) return [id, node] as const
    const { [param]: was, ...params } = isPlainObject(node.params) ? node.params : {}
    if ((was ?? null) === variant) return [id, node] as const
    isChanged = true
    return [id, { ...node, params: variant === null ? params : { ...params, [param]: variant } }] as const
  })
  return isChanged ? { ...definition, nodes: Object.fromEntries(nodes) } : definition
}

/** The variant that a definition is for; null if it is for the whole task, or if its nodes read different variants. */
export function variantIn(definition: unknown): number | null {
  const nodes = Object.values(readDefinition(definition).nodes).filter(({ type }) => type === reader)
  const [first, ...others] = new Set(nodes.map(({ params }) => params?.[param] ?? 0))
  return typeof first === 'number' && first > 0 && others.length === 0 ? first : null
}
