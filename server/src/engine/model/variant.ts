// In charge of runs for one variant of their task. The variant is written into the params of the nodes that read the task,
// so that the run's own definition shows it and forks inherit it. Pure.
import { type Definition, isPlainObject } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'

/**
 * The node type that reads the run's task, and the param with which it selects a variant. If the param is 0 or absent, the
 * node reads the whole task.
 */
const reader = 'task.fields'
const param = 'variant'

/** Sets the variant in each node that reads the task. Returns the same object if nothing changes. */
export function forVariant(definition: Record<string, unknown>, variant: number): Record<string, unknown> {
  if (!isPlainObject(definition.nodes)) return definition
  let isChanged = false
  const nodes = Object.entries(definition.nodes).map(([id, node]) => {
    if (!isReader(node)) return [id, node] as const
    const params = paramsOf(node)
    if (params[param] === variant) return [id, node] as const
    isChanged = true
    return [id, { ...node, params: { ...params, [param]: variant } }] as const
  })
  return isChanged ? { ...definition, nodes: Object.fromEntries(nodes) } : definition
}

/**
 * Undoes what `forVariant` did to `before`: each node that still reads this variant gets back what it has in `before`. Nodes that
 * are not in `before`, or that read something else by now, were changed by people and stay as they are.
 */
export function withoutVariant(
  definition: Record<string, unknown>,
  variant: number,
  before: Record<string, unknown>,
): Record<string, unknown> {
  if (!isPlainObject(definition.nodes)) return definition
  const former = isPlainObject(before.nodes) ? before.nodes : {}
  const nodes = Object.entries(definition.nodes).map(([id, node]) => {
    const was = Object.hasOwn(former, id) ? former[id] : undefined
    if (!isReader(node) || !isReader(was) || paramsOf(node)[param] !== variant) return [id, node] as const
    const { params: _params, ...bare } = node
    const { [param]: _variant, ...others } = paramsOf(node)
    if (was.params === undefined && Object.keys(others).length === 0) return [id, bare] as const
    const own = paramsOf(was)
    return [id, { ...node, params: param in own ? { ...others, [param]: own[param] } : others }] as const
  })
  return { ...definition, nodes: Object.fromEntries(nodes) }
}

const isReader = (node: unknown): node is Record<string, unknown> => isPlainObject(node) && node.type === reader
const paramsOf = ({ params }: Record<string, unknown>) => (isPlainObject(params) ? params : {})

/** The nodes whose outputs depend on the task that their run is for. */
export const readersOfTask = ({ nodes }: Definition): string[] =>
  Object.keys(nodes).filter((id) => nodes[id]?.type === reader)

/** The variant that a definition is for; null if it is for the whole task, or if its nodes read different variants. */
export function variantIn(definition: unknown): number | null {
  const nodes = Object.values(readDefinition(definition).nodes).filter(({ type }) => type === reader)
  const [first, ...others] = new Set(nodes.map(({ params }) => params?.[param] ?? 0))
  return typeof first === 'number' && first > 0 && others.length === 0 ? first : null
}
