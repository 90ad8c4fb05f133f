// In charge of finding out, for each issue of a definition, the node and the param or input that the issue is about. Pure.
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { type Raw, rawEdges, readEdge } from '../canvas/doc.ts'
import { messageOf } from '../lib/errors.ts'

/**
 * `node`: the id of the node that the issue is about; null if it is not about one node. For an issue with an edge, this is the node
 * where the edge ends. `field`: the param or input concerned, such as `params.prompt`; null if it is not about one of these.
 */
export type Issue = { key: string; node: string | null; field: string | null; words: string; type: string }

export function issuesOf(errors: readonly ValidationError[], definition: Raw): Issue[] {
  const edges = rawEdges(definition)
  return errors.map((error, index) => ({
    key: `${index}`,
    ...placeOf(error.loc, edges),
    words: messageOf(error),
    type: error.type,
  }))
}

function placeOf([, part, key, member, name]: ValidationError['loc'], edges: readonly unknown[]) {
  if (part === 'nodes' && key !== undefined) {
    const isField = member === 'params' || member === 'inputs'
    return { node: String(key), field: isField && name !== undefined ? `${member}.${name}` : null }
  }
  const edge = part === 'edges' && typeof key === 'number' ? readEdge(edges[key]) : null
  return edge ? { node: edge.to.node, field: `inputs.${edge.to.port}` } : { node: null, field: null }
}

export const byNode = (issues: readonly Issue[]): ReadonlyMap<string, Issue[]> =>
  Map.groupBy(
    issues.filter(({ node }) => node !== null),
    ({ node }) => node ?? '',
  )

/** The messages of all issues with one field of a node; null if there are none. */
export function problemOf(issues: readonly Issue[] | undefined, field: string): string | null {
  const found = (issues ?? []).filter((issue) => issue.field === field)
  return found.length === 0 ? null : found.map(({ words }) => words).join(' ')
}
