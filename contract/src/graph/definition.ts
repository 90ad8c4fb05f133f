// In charge of the types and limits of a graph's definition: nodes, edges, and files as values.

/** `inputs`: literal values for ports without an edge. `each`: ports that get a list; each call gets one element of the list. */
export type GraphNode = {
  type: string
  version: number
  params: Record<string, unknown>
  inputs: Record<string, unknown>
  each: string[]
}

/** One port of a node: in `from` it is an output, in `to` an input. */
type PortRef = { node: string; port: string }
export type GraphEdge = { from: PortRef; to: PortRef }

/** Nodes by id, and the edges between their ports, in declared order. The layout is stored separately. */
export type Definition = { nodes: Record<string, GraphNode>; edges: GraphEdge[] }

/** The only valid value of the member `schema` of a definition. */
export const definitionSchema = 1

/**
 * The largest graph or run that is accepted. `paramsBytes` applies to the params and to the inputs of one node, each on its own;
 * `documentBytes` applies to the definition and to the layout, each on its own.
 */
export const definitionLimits = {
  nodes: 2000,
  edges: 10_000,
  paramsBytes: 65_536,
  idLength: 64,
  documentBytes: 4_194_304,
} as const

/** A file that is passed between nodes as a value; `GET /files/{digest}` returns the file's bytes. */
export type FileValue = { digest: string; media_type: string; size: number; name: string | null }

/** The JSON Schema of a file value; port rules, forms and hashing recognise the schema by the keyword `x-atelier`. */
export const fileSchema = {
  type: 'object',
  'x-atelier': 'file',
  required: ['digest', 'media_type', 'size'],
  properties: {
    digest: { type: 'string', pattern: '^[0-9a-f]{64}$' },
    media_type: { type: 'string' },
    size: { type: 'integer', minimum: 1 },
    name: { type: ['string', 'null'] },
  },
} as const

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value has the form of a file value; any other object counts as plain data. */
export const isFileValue = (value: unknown): value is FileValue =>
  isPlainObject(value) &&
  typeof value.digest === 'string' &&
  /^[0-9a-f]{64}$/.test(value.digest) &&
  typeof value.media_type === 'string' &&
  Number.isSafeInteger(value.size)

/** Finds every file value inside a value, at any depth. */
export function filesIn(value: unknown, found: FileValue[] = []): FileValue[] {
  if (isFileValue(value)) found.push(value)
  else if (Array.isArray(value)) for (const element of value) filesIn(element, found)
  else if (isPlainObject(value)) for (const member of Object.values(value)) filesIn(member, found)
  return found
}
