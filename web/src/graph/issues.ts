// In charge of finding out, for each issue of a definition, the node and the param or input that the issue is about. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { infoOf } from '@atelier/contract/graph/edge-rules.ts'
import { type NodeTypes, readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import { type Raw, rawEdges, rawNodes, readEdge } from '../canvas/doc.ts'
import { messageOf, wrongForm } from '../lib/errors.ts'

/**
 * `node`: the id of the node that the issue is about; null if it is not about one node. For an issue with an edge, this is the node
 * where the edge ends. `field`: the param or input concerned, such as `params.prompt`; null if it is not about one of these.
 */
export type Issue = { key: string; node: string | null; field: string | null; words: string; type: string }

export function issuesOf(errors: readonly ValidationError[], definition: Raw, types: NodeTypes): Issue[] {
  const edges = rawEdges(definition)
  return errors.map((error, index) => ({
    key: `${index}`,
    ...placeOf(error.loc, edges),
    words: messageOf(stated(error, definition, types)),
    type: error.type,
  }))
}

/**
 * The error about a param whose text has the wrong form, with the examples or the default of the param's schema: the error itself
 * quotes a regular expression. Any other error as it is.
 */
function stated(error: ValidationError, definition: Raw, types: NodeTypes): ValidationError {
  const [, part, id, member, name] = error.loc
  if (error.type !== wrongForm || part !== 'nodes' || member !== 'params' || error.loc.length !== 5) return error
  const node = readDefinition({ nodes: { node: rawNodes(definition)[String(id)] } }).nodes.node
  const properties = node && infoOf(node, types)?.params.properties
  const schema = isPlainObject(properties) ? properties[String(name)] : undefined
  if (!isPlainObject(schema)) return error
  const examples = [schema.examples, schema.default].flat().filter((value) => typeof value === 'string' && value !== '')
  const shown = [...new Set(examples)].slice(0, 3).join(', ')
  return shown === '' ? error : { ...error, msg: `This has to look like one of these: ${shown}.` }
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

/** The type of the issue that a text in a field for JSON cannot be parsed yet. All other types are those of the service. */
export const unreadType = 'json_unread'

/** The reason why a graph with these issues cannot run; null if it can. What is not saved is named, because a run would lack it. */
export function reasonNotToRun(issues: readonly Issue[]): string | null {
  const unread = issues.find(({ type }) => type === unreadType)
  if (unread) return `“${unread.node}”: ${unread.words}`
  return issues.length > 0 ? 'Resolve the issues first: they keep it from running.' : null
}

/** The messages of all issues with one field of a node; null if there are none. */
export function problemOf(issues: readonly Issue[] | undefined, field: string): string | null {
  const found = (issues ?? []).filter((issue) => issue.field === field)
  return found.length === 0 ? null : found.map(({ words }) => words).join(' ')
}
