// In charge of reading definitions without losing parts that cannot be parsed, and of the types for positions on the canvas. Pure.
import { type GraphEdge, isPlainObject } from '@atelier/contract/graph/definition.ts'

/** A definition or a layout, or an object inside one, exactly as it was saved, with the parts that cannot be parsed. */
export type Raw = Readonly<Record<string, unknown>>
export type Point = { x: number; y: number }
export type Positions = Readonly<Record<string, Point>>

export const rawNodes = (definition: Raw): Raw => (isPlainObject(definition.nodes) ? definition.nodes : {})
export const rawEdges = (definition: Raw): readonly unknown[] =>
  Array.isArray(definition.edges) ? definition.edges : []

/** Replaces the nodes, the edges, or both of a definition; other members stay. Adds `schema`, `nodes` and `edges` if missing. */
export const withParts = (definition: Raw, parts: { nodes?: Raw; edges?: readonly unknown[] }): Raw => ({
  schema: 1,
  nodes: {},
  edges: [],
  ...definition,
  ...parts,
})

/** Parses an edge of a definition; null if it does not have the form of an edge. */
export function readEdge(raw: unknown): GraphEdge | null {
  if (!isPlainObject(raw)) return null
  const [from, to] = [readEnd(raw.from), readEnd(raw.to)]
  return from && to ? { from, to } : null
}

const readEnd = (raw: unknown): { node: string; port: string } | null =>
  isPlainObject(raw) && typeof raw.node === 'string' && typeof raw.port === 'string'
    ? { node: raw.node, port: raw.port }
    : null

/** The params or inputs of a node; an empty object if the node does not have them as an object. */
export const membersOf = (node: unknown, name: 'params' | 'inputs'): Raw =>
  isPlainObject(node) && isPlainObject(node[name]) ? node[name] : {}

export const eachOf = (node: unknown): string[] =>
  isPlainObject(node) && Array.isArray(node.each) ? node.each.filter((port) => typeof port === 'string') : []
