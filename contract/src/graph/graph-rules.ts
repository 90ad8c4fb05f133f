// In charge of deciding whether a definition is valid. The rules are pure, so the editor and the server use the same ones.
import type { ValidationError } from '../wire/errors.ts'
import { type ErrorWords, extraForbidden, missing, notOneOf, tooMany, wrongType } from '../wire/validation-errors.ts'
import {
  type Definition,
  definitionLimits,
  definitionSchema,
  type GraphEdge,
  type GraphNode,
  isPlainObject,
} from './definition.ts'
import { edgeFaults, edgeName, infoOf, inputSchema, isMany, quoted, shortened, valueSchema } from './edge-rules.ts'
import { findCycles } from './graph-order.ts'
import { dayOf, modelEnds } from './model-rules.ts'
import type { NodeType, NodeVersion } from './node-types.ts'
import { type SchemaFault, schemaFaults } from './schema-check.ts'

/** The node types of a deployment by name; removed types are included, because each has the name of its successor. */
export type NodeTypes = ReadonlyMap<string, NodeType>

/** The maximum number of issues that one response lists. */
const maxIssues = 1000

/**
 * Reads a definition from any value, and never throws. Members of a wrong shape are left out, and missing members become empty. A
 * node without a valid version gets version 0, which no node type has.
 */
export function readDefinition(raw: unknown): Definition {
  // The object has no prototype, so that a look-up finds only ids that are in the definition.
  const nodes: Record<string, GraphNode> = Object.create(null)
  for (const [id, node] of rawNodes(raw)) if (isPlainObject(node)) nodes[id] = readNode(node)
  return { nodes, edges: readEdges(raw).map(({ edge }) => edge) }
}

function readNode({ type, version, params, inputs, each }: Record<string, unknown>): GraphNode {
  return {
    type: typeof type === 'string' ? type : '',
    version: typeof version === 'number' && Number.isSafeInteger(version) ? version : 0,
    params: isPlainObject(params) ? params : {},
    inputs: isPlainObject(inputs) ? inputs : {},
    each: Array.isArray(each) ? each.filter((port) => typeof port === 'string') : [],
  }
}

const rawNodes = (raw: unknown): [string, unknown][] =>
  isPlainObject(raw) && isPlainObject(raw.nodes) ? Object.entries(raw.nodes) : []
const rawEdges = (raw: unknown): unknown[] => (isPlainObject(raw) && Array.isArray(raw.edges) ? raw.edges : [])

type PlacedEdge = { edge: GraphEdge; index: number }

function readEdges(raw: unknown): PlacedEdge[] {
  const edges: PlacedEdge[] = []
  for (const [index, edge] of rawEdges(raw).entries()) {
    if (!isPlainObject(edge)) continue
    const { from, to } = edge
    if (isPort(from) && isPort(to)) {
      edges.push({ edge: { from: { node: from.node, port: from.port }, to: { node: to.node, port: to.port } }, index })
    }
  }
  return edges
}

const isPort = (value: unknown): value is { node: string; port: string } =>
  isPlainObject(value) && typeof value.node === 'string' && typeof value.port === 'string'

type Loc = (string | number)[]
/** Reports one issue. Its `loc` is relative to the definition, for example `['nodes', 'a']`. */
type Report = (fault: { type: string; loc: Loc; msg: string; ctx?: Record<string, unknown>; input?: unknown }) => void

/**
 * Returns the issues of a definition, at most `maxIssues`; each `loc` begins with `definition`. The type `node_type_unavailable`
 * means that the definition is valid but cannot run on this deployment. The type `model_ended` means that a model of a node was
 * withdrawn on or before `today`.
 */
export function definitionIssues(raw: unknown, types: NodeTypes, today: string = dayOf(new Date())): ValidationError[] {
  const issues: ValidationError[] = []
  const report: Report = ({ loc, input, ...fault }) => {
    if (issues.length < maxIssues) issues.push({ ...fault, loc: ['definition', ...loc], ...echo(input) })
  }
  if (!isPlainObject(raw)) {
    report({ ...wrongType.dictionary, loc: [], input: raw })
    return issues
  }
  checkShape(raw, report)
  // A definition that is too large is not examined further: some of the rules below would take too long.
  if (isTooLarge(raw)) return issues
  const definition = readDefinition(raw)
  const edges = readEdges(raw)
  const fed = feedsOf(edges)
  for (const [id, node] of Object.entries(definition.nodes)) {
    if (isLongId(id)) continue
    checkNode(node, types, { id, loc: ['nodes', id], report, fed: fed.get(id) ?? new Map() })
  }
  for (const { node, param, end, model, words } of modelEnds(definition, types, today)) {
    const ctx = { ended_on: model.ends_on, successor: model.successor ?? null }
    if (end === 'over') report({ type: 'model_ended', loc: ['nodes', node, 'params', param], msg: words, ctx })
  }
  checkEdges(definition, edges, types, report)
  checkCycles(definition, edges, report)
  return issues
}

/** The refused value as an issue repeats it. Only numbers, booleans and texts of up to 200 characters are repeated. */
function echo(input: unknown): { input?: unknown } {
  if (typeof input === 'string') return input.length > 200 ? {} : { input }
  return typeof input === 'object' || input === undefined ? {} : { input }
}

const members = {
  definition: new Set(['schema', 'nodes', 'edges']),
  node: new Set(['type', 'version', 'params', 'inputs', 'each']),
  edge: new Set(['from', 'to']),
  port: new Set(['node', 'port']),
}

function checkMembers(value: Record<string, unknown>, known: ReadonlySet<string>, loc: Loc, report: Report): void {
  for (const name of Object.keys(value)) {
    if (known.has(name)) continue
    report({ ...extraForbidden, loc: [...loc, name], input: value[name] })
  }
}

type Shape = 'dict' | 'list' | 'string' | 'int'
const shapes: Record<Shape, { is(value: unknown): boolean; fault: ErrorWords }> = {
  dict: { is: isPlainObject, fault: wrongType.dictionary },
  list: { is: Array.isArray, fault: wrongType.list },
  string: { is: (value) => typeof value === 'string', fault: wrongType.string },
  int: { is: Number.isSafeInteger, fault: wrongType.integer },
}

/** Reports the member `name` if it is missing or has a wrong shape. If `optional` is true, the member may be missing. */
function checkMember(
  owner: Record<string, unknown>,
  name: string,
  shape: Shape,
  { loc, report, optional = false }: { loc: Loc; report: Report; optional?: boolean },
): void {
  const { is, fault } = shapes[shape]
  const value = owner[name]
  if (!Object.hasOwn(owner, name)) {
    if (!optional) report({ ...missing, loc: [...loc, name] })
  } else if (!is(value)) report({ ...fault, loc: [...loc, name], input: value })
}

function checkShape(raw: Record<string, unknown>, report: Report): void {
  if (!Object.hasOwn(raw, 'schema')) report({ ...missing, loc: ['schema'] })
  else if (raw.schema !== definitionSchema)
    report({ ...notOneOf([definitionSchema], 'literal_error'), loc: ['schema'], input: raw.schema })
  checkMember(raw, 'nodes', 'dict', { loc: [], report })
  checkMember(raw, 'edges', 'list', { loc: [], report })
  const nodes = rawNodes(raw)
  const edges = rawEdges(raw)
  checkSize('nodes', 'Dictionary', nodes.length, report)
  checkSize('edges', 'List', edges.length, report)
  for (const [id, node] of nodes) checkNodeShape(id, node, report)
  for (const [index, edge] of edges.entries()) checkEdgeShape(edge, ['edges', index], report)
  checkMembers(raw, members.definition, [], report)
}

const isTooLarge = (raw: Record<string, unknown>): boolean =>
  rawNodes(raw).length > definitionLimits.nodes || rawEdges(raw).length > definitionLimits.edges

function checkSize(name: 'nodes' | 'edges', kind: 'Dictionary' | 'List', size: number, report: Report): void {
  const most = definitionLimits[name]
  if (size > most) report({ ...tooMany(kind, most, size), loc: [name] })
}

/**
 * Whether an id has more characters than an id may have. Of such a node nothing else is reported: each issue would repeat the id in its
 * `loc`, so that a thousand issues could have a thousand times the size of the definition.
 */
const isLongId = (id: string): boolean => id.length > definitionLimits.idLength

function checkNodeShape(id: string, node: unknown, report: Report): void {
  const loc: Loc = ['nodes', id]
  // Items of a node that runs once per element are named `node/item`, so a node id must not contain a slash.
  if (id === '' || isLongId(id) || id.includes('/')) {
    const msg = `The id of a node has 1 to ${definitionLimits.idLength} characters and no slash.`
    report({ type: 'node_id_invalid', loc, msg, input: id })
  }
  if (isLongId(id)) return
  if (!isPlainObject(node)) {
    report({ ...shapes.dict.fault, loc, input: node })
    return
  }
  checkMember(node, 'type', 'string', { loc, report })
  checkMember(node, 'version', 'int', { loc, report })
  checkMember(node, 'params', 'dict', { loc, report, optional: true })
  checkMember(node, 'inputs', 'dict', { loc, report, optional: true })
  checkMember(node, 'each', 'list', { loc, report, optional: true })
  for (const [index, port] of (Array.isArray(node.each) ? node.each : []).entries()) {
    if (typeof port !== 'string') report({ ...shapes.string.fault, loc: [...loc, 'each', index], input: port })
  }
  checkMembers(node, members.node, loc, report)
}

function checkEdgeShape(edge: unknown, loc: Loc, report: Report): void {
  if (!isPlainObject(edge)) {
    report({ ...shapes.dict.fault, loc, input: edge })
    return
  }
  for (const end of ['from', 'to']) {
    checkMember(edge, end, 'dict', { loc, report })
    const port = edge[end]
    if (!isPlainObject(port)) continue
    checkMember(port, 'node', 'string', { loc: [...loc, end], report })
    checkMember(port, 'port', 'string', { loc: [...loc, end], report })
    checkMembers(port, members.port, [...loc, end], report)
  }
  checkMembers(edge, members.edge, loc, report)
}

/** The number of edges into each input port of a node, by the name of the port. */
type Feeds = ReadonlyMap<string, number>

function feedsOf(edges: readonly PlacedEdge[]): Map<string, Map<string, number>> {
  const feeds = new Map<string, Map<string, number>>()
  for (const { edge } of edges) {
    const { node, port } = edge.to
    const ports = feeds.get(node) ?? new Map<string, number>()
    feeds.set(node, ports.set(port, (ports.get(port) ?? 0) + 1))
  }
  return feeds
}

type NodeCheck = { id: string; loc: Loc; report: Report; fed: Feeds }

function checkNode(node: GraphNode, types: NodeTypes, check: NodeCheck): void {
  const { loc, report } = check
  const info = infoOf(node, types)
  if (!info) {
    if (node.type !== '') reportType(node, types.get(node.type), loc, report)
    return
  }
  if (!info.available) {
    const msg = `The node type ${quoted(node.type)} cannot run here: ${info.unavailable_reason ?? 'it is not set up'}`
    report({ type: 'node_type_unavailable', loc: [...loc, 'type'], msg, input: node.type })
  }
  if (isSmall(node.params, 'params', loc, report))
    tell(schemaFaults(info.params, node.params), [...loc, 'params'], report)
  checkEach(node, info, check)
  checkInputs(node, info, check)
}

function tell(faults: readonly SchemaFault[], loc: Loc, report: Report): void {
  for (const fault of faults) report({ ...fault, loc: [...loc, ...fault.loc] })
}

function checkInputs(node: GraphNode, info: NodeVersion, { id, loc, report, fed }: NodeCheck): void {
  const areSmall = isSmall(node.inputs, 'inputs', loc, report)
  for (const [port, value] of Object.entries(node.inputs)) {
    const at = [...loc, 'inputs', port]
    const schema = valueSchema(node, info, port)
    if (schema === null) {
      report({ type: 'port_unknown', loc: at, msg: `${quoted(node.type)} has no input ${quoted(port)}.`, input: port })
    } else if (fed.has(port)) {
      const msg = `The input ${quoted(port)} of ${quoted(id)} has a value of its own and an edge: remove one of the two.`
      report({ type: 'port_fed_twice', loc: at, msg })
    } else if (areSmall && typeof schema === 'object') tell(schemaFaults(schema, value), at, report)
  }
  for (const [port, { required }] of Object.entries(info.inputs)) {
    if (!required || fed.has(port) || Object.hasOwn(node.inputs, port)) continue
    const msg = `The input ${quoted(port)} of ${quoted(id)} needs an edge or a value.`
    report({ type: 'input_missing', loc: [...loc, 'inputs', port], msg })
  }
}

function reportType(node: GraphNode, type: NodeType | undefined, loc: Loc, report: Report): void {
  if (!type || type.replaced_by !== null) {
    const successor = type?.replaced_by ?? null
    const instead = successor ? ` ${quoted(successor.type)} (version ${successor.version}) replaces it.` : ''
    const msg = `There is no node type ${quoted(node.type)}${successor ? ' any more' : ''}.${instead}`
    report({
      type: 'node_type_unknown',
      loc: [...loc, 'type'],
      msg,
      input: node.type,
      ...(successor ? { ctx: { replaced_by: successor } } : {}),
    })
  } else if (node.version > 0) {
    const msg = `The node type ${quoted(node.type)} is at version ${type.version} here, not ${node.version}.`
    const ctx = { version: type.version }
    report({ type: 'node_version_unknown', loc: [...loc, 'version'], msg, ctx, input: node.version })
  }
}

/** Whether a node's params or inputs are small enough to be validated; reports an issue if they are too large. */
function isSmall(value: unknown, name: 'params' | 'inputs', loc: Loc, report: Report): boolean {
  const limit = definitionLimits.paramsBytes
  const text = JSON.stringify(value)
  // A UTF-16 code unit takes at most three bytes of UTF-8, so the bytes of a short text need not be counted.
  if (text.length * 3 <= limit) return true
  const bytes = new TextEncoder().encode(text).length
  if (bytes <= limit) return true
  const msg = `The ${name} of a node have at most ${limit} bytes as JSON, these have ${bytes}.`
  report({ type: 'too_large', loc: [...loc, name], msg, ctx: { limit, actual: bytes } })
  return false
}

function checkEach(node: GraphNode, info: NodeVersion, { id, loc, report, fed }: NodeCheck): void {
  const seen = new Set<string>()
  for (const [index, port] of node.each.entries()) {
    const refuse = (type: string, msg: string) => report({ type, loc: [...loc, 'each', index], msg, input: port })
    if (seen.has(port)) refuse('each_repeated', `${quoted(port)} is named twice in \`each\` of ${quoted(id)}.`)
    else if (inputSchema(node, info, port) === null)
      refuse('port_unknown', `${quoted(node.type)} has no input ${quoted(port)}.`)
    else if (isMany(info, port)) {
      refuse('each_many', `The input ${quoted(port)} of ${quoted(id)} takes several edges, so it cannot be run over.`)
    } else if (!fed.has(port) && !Object.hasOwn(node.inputs, port)) {
      refuse(
        'each_unfed',
        `${quoted(id)} runs once for each element of ${quoted(port)}, which has neither an edge nor a value.`,
      )
    }
    seen.add(port)
  }
}

function checkEdges(definition: Definition, edges: readonly PlacedEdge[], types: NodeTypes, report: Report): void {
  const seen = new Set<string>()
  const taken = new Set<string>()
  for (const { edge, index } of edges) {
    for (const { type, at, msg, ctx } of edgeFaults(definition, types, edge)) {
      report({ type, loc: ['edges', index, ...at], msg, ...(ctx ? { ctx } : {}) })
    }
    const name = edgeName(edge)
    const { node, port } = edge.to
    const end = JSON.stringify([node, port])
    if (seen.has(name)) {
      report({ type: 'edge_repeated', loc: ['edges', index], msg: 'There is an edge between the same ports already.' })
    } else if (taken.has(end) && isSingle(definition, types, edge)) {
      const msg = `The input ${quoted(port)} of ${quoted(node)} takes one edge, and there is one already.`
      report({ type: 'port_fed_twice', loc: ['edges', index, 'to'], msg })
    }
    seen.add(name)
    taken.add(end)
  }
}

/** Whether the port at the end of an edge accepts only one edge; false if the node's type is unknown. */
function isSingle({ nodes }: Definition, types: NodeTypes, { to }: GraphEdge): boolean {
  const node = nodes[to.node]
  const info = node && infoOf(node, types)
  return info !== undefined && !isMany(info, to.port)
}

function checkCycles(definition: Definition, edges: readonly PlacedEdge[], report: Report): void {
  const cycles = findCycles(definition)
  if (cycles.length === 0) return
  // The first edge between each two nodes, by the ids of both.
  const places = new Map<string, number>()
  for (const { edge, index } of edges.toReversed()) places.set(JSON.stringify([edge.from.node, edge.to.node]), index)
  for (const path of cycles) {
    const shown = path.length > 12 ? [...path.slice(0, 6), '…', ...path.slice(-5)] : path
    const msg = `Nodes cannot wait for each other in a circle: ${shown.map(shortened).join(' → ')}.`
    const closing = places.get(JSON.stringify(path.slice(-2))) ?? 0
    report({ type: 'cycle', loc: ['edges', closing], msg, ctx: { path } })
  }
}
