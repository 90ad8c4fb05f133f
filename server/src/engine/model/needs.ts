// In charge of listing the node types that a run needs, and those of them that are missing. Pure.
import type { Definition } from '@atelier/contract/graph/definition.ts'
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { versionName } from '../../nodes/node-type.ts'

/** A node that a run needs, with the type and version that a worker must have to execute it. */
export type Need = { node: string; type: string; version: number }

/**
 * The targets of a run and all nodes that they depend on; all nodes if there are no targets. A worker that has the types of
 * these nodes can execute the run, even if it lacks types of other nodes.
 */
export function needsOf(definition: Definition, targets: readonly string[]): Need[] {
  return [...neededFor(definition, targets)].flatMap((id) => {
    const node = definition.nodes[id]
    return node ? [{ node: id, type: node.type, version: node.version }] : []
  })
}

const missingIn = (needs: readonly Need[], has: ReadonlySet<string>): Need[] =>
  needs.filter((need) => !has.has(versionName(need)))

/**
 * The nodes of a run whose types a process lacks; empty if the process can execute the whole run. `has`: the names of the
 * type versions that the process has.
 */
export const lackedBy = (has: ReadonlySet<string>, run: { definition: unknown; targets: readonly string[] }): Need[] =>
  missingIn(needsOf(readDefinition(run.definition), run.targets), has)

/** The names of the needed type versions, each once. Workers advertise their types by the same names. */
export const versionsOf = (needs: readonly Need[]): string[] => [...new Set(needs.map(versionName))].toSorted()

const mostNamed = 3

/** A part of a sentence that names the first few nodes with missing types: `“tags” needs text.hashtags version 1`. */
export function missingWords(missing: readonly Need[]): string {
  const named = missing
    .slice(0, mostNamed)
    .map(({ node, type, version }) => `“${node}” needs ${type} version ${version}`)
  const more = missing.length - mostNamed
  return named.join(', ') + (more > 0 ? `, and ${more} more ${more === 1 ? 'node' : 'nodes'}` : '')
}
