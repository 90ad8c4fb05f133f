// In charge of copying parts of a graph, and of inserting copies with ids that the graph does not use yet.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { numbered } from '../lib/numbered-name.ts'
import { type Annotation, type Annotations, newAnnotationId, readAnnotations } from './annotations.ts'
import { type Point, type Positions, type Raw, rawEdges, rawNodes, readEdge, withParts } from './doc.ts'
import type { Doc } from './layout.ts'

/** A copied part of a graph: nodes, the edges between these nodes, the positions of these nodes, and notes and frames. */
export type Clip = { nodes: Raw; edges: readonly unknown[]; positions: Positions; annotations: Annotations }

const nothing: Clip = { nodes: {}, edges: [], positions: {}, annotations: {} }
export const isEmpty = (clip: Clip): boolean => idsIn(clip).length === 0
export const idsIn = ({ nodes, annotations }: Clip): string[] => [...Object.keys(nodes), ...Object.keys(annotations)]

/** Copies the nodes, notes and frames with these ids, and the edges between these nodes. */
export function cutOut({ definition, positions, annotations }: Doc, ids: ReadonlySet<string>): Clip {
  const among = <T>(ones: Readonly<Record<string, T>>) =>
    Object.fromEntries(Object.entries(ones).filter(([id]) => ids.has(id)))
  const edges = rawEdges(definition).filter((raw) => {
    const edge = readEdge(raw)
    return edge !== null && ids.has(edge.from.node) && ids.has(edge.to.node)
  })
  return { nodes: among(rawNodes(definition)), edges, positions: among(positions), annotations: among(annotations) }
}

/** The clip, moved by `by`. Annotations get new ids, and so do nodes whose ids are in `taken`, the nodes of the graph. */
export function freed(clip: Clip, taken: Raw, by: Point): Clip {
  const names = new Map<string, string>()
  const used = new Set(Object.keys(taken))
  for (const id of Object.keys(clip.nodes)) {
    const name = freeId(id, used)
    used.add(name)
    names.set(id, name)
  }
  const named = (id: string) => names.get(id) ?? id
  const edges = clip.edges.flatMap((raw) => {
    const edge = readEdge(raw)
    if (!edge) return []
    return [{ from: { ...edge.from, node: named(edge.from.node) }, to: { ...edge.to, node: named(edge.to.node) } }]
  })
  return {
    nodes: Object.fromEntries(Object.entries(clip.nodes).map(([id, node]) => [named(id), node])),
    edges,
    positions: Object.fromEntries(
      Object.entries(clip.positions).map(([id, at]) => [named(id), { x: at.x + by.x, y: at.y + by.y }]),
    ),
    annotations: Object.fromEntries(
      Object.values(clip.annotations).map((one) => [
        newAnnotationId(one.kind),
        { ...one, x: one.x + by.x, y: one.y + by.y },
      ]),
    ),
  }
}

/** An id that is not taken: `image`, then `image_2`, `image_3` and so on. */
export function freeId(wish: string, taken: ReadonlySet<string>): string {
  const clean = wish.replaceAll('/', '_').slice(0, 56) || 'node'
  if (!taken.has(clean)) return clean
  return numbered(clean.replace(/_\d+$/, ''), taken)
}

/** A clip with one new node; its id is the last part of its type, such as `chat` for the type `sample.chat`. */
export function newNode({ type, version }: { type: string; version: number }, at: Point): Clip {
  const id = type.split('.').at(-1) ?? type
  return { ...nothing, nodes: { [id]: { type, version, params: {} } }, positions: { [id]: at } }
}

export const newAnnotation = (annotation: Annotation): Clip => ({
  ...nothing,
  annotations: { [newAnnotationId(annotation.kind)]: annotation },
})

/** Adds a clip to a graph. The graph must not use any id of the clip yet. */
export function placed(doc: Doc, clip: Clip): Doc {
  if (isEmpty(clip)) return doc
  const annotations = { ...doc.annotations, ...clip.annotations }
  // If the clip has no nodes, the definition stays the same object, so that it is not saved or drawn again.
  if (Object.keys(clip.nodes).length === 0) return { ...doc, annotations }
  return {
    annotations,
    positions: { ...doc.positions, ...clip.positions },
    definition: withParts(doc.definition, {
      nodes: { ...rawNodes(doc.definition), ...clip.nodes },
      edges: [...rawEdges(doc.definition), ...clip.edges],
    }),
  }
}

/** A clip as text for the clipboard, so that it can be pasted into another graph. */
export const clipText = (clip: Clip): string => JSON.stringify({ atelier: 'clip', ...clip })

export function readClip(text: string): Clip | null {
  try {
    const raw: unknown = JSON.parse(text)
    if (!isPlainObject(raw) || raw.atelier !== 'clip' || !isPlainObject(raw.nodes)) return null
    const positions = Object.entries(isPlainObject(raw.positions) ? raw.positions : {}).flatMap(([id, at]) =>
      isPlainObject(at) && typeof at.x === 'number' && typeof at.y === 'number'
        ? [[id, { x: at.x, y: at.y }] as const]
        : [],
    )
    return {
      nodes: raw.nodes,
      edges: Array.isArray(raw.edges) ? raw.edges : [],
      positions: Object.fromEntries(positions),
      annotations: readAnnotations(raw),
    }
  } catch {
    return null
  }
}
