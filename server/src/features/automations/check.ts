// In charge of checking that the nodes which an automation refers to exist in its graph. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { Invalid, type ValidationError } from '@atelier/contract/wire/errors.ts'
import { unknownNodes } from '../../engine/transitions/start-problems.ts'
import type { AutomationRow } from './store.ts'

type Naming = Pick<AutomationRow, 'targets' | 'outputs'>

/**
 * Returns an error for each node to which an automation refers although its graph has no such node. The `loc` of an error says
 * where the request body names the node.
 */
export function missingNodes(definition: Definition, { targets, outputs }: Naming): ValidationError[] {
  const named = outputs.flatMap(({ node_id }, index) =>
    unknownNodes([node_id], definition, []).map((error) => ({
      ...error,
      loc: ['body', 'outputs', index, 'node_id'],
    })),
  )
  return [...unknownNodes(targets, definition, ['body', 'targets']), ...named]
}

/**
 * Throws if the automation refers to a node that its graph no longer has. Called before a run is started, since the run could cost
 * money. The `loc` of each error begins without `body`, because here no request body names the nodes.
 */
export function checkNodes(graph: { definition: unknown }, naming: Naming): void {
  const missing = missingNodes(readDefinition(graph.definition), naming)
  if (missing.length > 0) throw new Invalid(missing.map((error) => ({ ...error, loc: error.loc.slice(1) })))
}
