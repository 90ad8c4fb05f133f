// In charge of short notation for graph definitions: nodes get the usual members by default, and an edge is one line of text.

type Node = { type: string; version?: number; params?: object; inputs?: object; each?: string[] }
type Nodes = Record<string, Node>

/** Parses `'csv.rows > copy.rows'` into an edge. */
function edge(text: string) {
  const [from = '', to = ''] = text.split(' > ')
  const [fromNode = '', fromPort = ''] = from.split('.')
  const [toNode = '', toPort = ''] = to.split('.')
  return { from: { node: fromNode, port: fromPort }, to: { node: toNode, port: toPort } }
}

export const definitionOf = (nodes: Nodes, ...edges: string[]) => ({
  schema: 1,
  nodes: Object.fromEntries(
    Object.entries(nodes).map(([id, node]) => [id, { version: 1, params: {}, inputs: {}, each: [], ...node }]),
  ),
  edges: edges.map(edge),
})
