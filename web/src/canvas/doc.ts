// In charge of definitions as they were written, and of places on the canvas. Pure.
import { type GraphEdge, isPlainObject } from '@atelier/contract/graph/definition.ts'

/** A definition as it was written: parts that cannot be parsed are kept too. */
export type Raw = Readonly<Record<string, unknown>>
export type Point = { x: number; y: number }
export type Positions = Readonly<Record<string, Point>>

export const rawNodes = (definition: Raw): Raw => (isPlainObject(definition.nodes) ? definition.nodes : {})
export const rawEdges = (definition: Raw): readonly unknown[] =>
  Array.isArray(definition.edges) ? definition.edges : []

/** The definition with other nodes, other edges, or both; everything else is unchanged. */
export const withParts = (definition: Raw, parts: { nodes?: Raw; edges?: readonly unknown[] }): Raw => ({
  schema: 1,
  nodes: {},
  edges: [],
  ...definition,
  ...parts,
})

/** An edge as it was written; null if it has another shape. */
export function readEdge(raw: unknown): GraphEdge | null {
  if (!isPlainObject(raw)) return null
  const [from, to] = [readEnd(raw.from), readEnd(raw.to)]
  return from && to ? { from, to } : null
}

const readEnd = (raw: unknown): { node: string; port: string } | null =>
  isPlainObject(raw) && typeof raw.node === 'string' && typeof raw.port === 'string'
    ? { node: raw.node, port: raw.port }
    : null

/** A member of a node that is an object, such as `params`. */
export const membersOf = (node: unknown, name: 'params' | 'inputs'): Raw =>
  isPlainObject(node) && isPlainObject(node[name]) ? node[name] : {}

export const eachOf = (node: unknown): string[] =>
  isPlainObject(node) && Array.isArray(node.each) ? node.each.filter((port) => typeof port === 'string') : []
