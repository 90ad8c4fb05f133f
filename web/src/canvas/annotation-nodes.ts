// In charge of converting notes and frames into nodes of React Flow: frames are drawn behind everything else, and smaller
// annotations above larger ones.
import type { Node } from '@xyflow/react'
import { type Annotation, type Annotations, annotationLimits } from './annotations.ts'
import type { CardNode } from './canvas-nodes.ts'
import type { Point } from './doc.ts'
import type { Box } from './places.ts'

export type AnnotationNode = Node<{ annotation: Annotation }, 'note' | 'frame'>

export type CanvasNode = CardNode | AnnotationNode

type Look = {
  /** The positions of the elements that are being dragged; null if nothing is being dragged. */
  dragged: Readonly<Record<string, Point>> | null
  resized: { id: string; box: Box } | null
  selected: ReadonlySet<string>
  isEditable: boolean
}

/**
 * `taken`: the ids of all nodes. If an invalid definition uses the id of an annotation for a node too, the annotation is not shown,
 * because React Flow requires unique ids.
 */
export function annotationNodes(
  annotations: Annotations,
  taken: { has: (id: string) => boolean },
  { dragged, resized, selected, isEditable }: Look,
): AnnotationNode[] {
  const shown = Object.entries(annotations)
    .filter(([id]) => !taken.has(id))
    .slice(0, annotationLimits.drawn)
  const nodes = shown.map(([id, annotation]): AnnotationNode => {
    const box = resized?.id === id ? resized.box : { ...annotation, ...dragged?.[id] }
    const size = { width: box.width, height: box.height }
    const isFrame = annotation.kind === 'frame'
    return {
      id,
      type: annotation.kind,
      position: { x: box.x, y: box.y },
      data: dataOf(annotation),
      selected: selected.has(id),
      selectable: isEditable,
      connectable: false,
      ...size,
      measured: size,
      zIndex: isFrame ? -1 : 0,
      // A frame can be dragged only by its title, so that the pointer can still reach the nodes and the canvas inside the frame.
      ...(isFrame ? { dragHandle: '.frame-title' } : {}),
      style: { pointerEvents: isFrame ? 'none' : 'all' },
    }
  })
  const area = ({ data: { annotation } }: AnnotationNode) => annotation.width * annotation.height
  return nodes.toSorted((one, other) => area(other) - area(one))
}

/** Keeps one data object for each annotation, so that unchanged annotations are not drawn again while another one is moved. */
const held = new WeakMap<Annotation, { annotation: Annotation }>()
function dataOf(annotation: Annotation): { annotation: Annotation } {
  const data = held.get(annotation) ?? { annotation }
  held.set(annotation, data)
  return data
}
