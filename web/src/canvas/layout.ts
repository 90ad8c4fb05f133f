// In charge of converting a saved definition and layout into the `Doc` that the editor edits, and back into a layout. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { type Annotations, readAnnotations, unreadAnnotations } from './annotations.ts'
import type { Point, Positions, Raw } from './doc.ts'

export type Doc = { definition: Raw; positions: Positions; annotations: Annotations }
export type Viewport = { x: number; y: number; zoom: number }

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The positions of nodes in a layout; nodes without a valid position are left out. */
export function readPositions(layout: Raw): Record<string, Point> {
  const placed = isPlainObject(layout.nodes) ? layout.nodes : {}
  return Object.fromEntries(
    Object.entries(placed).flatMap(([id, at]) =>
      isPlainObject(at) && isNumber(at.x) && isNumber(at.y) ? [[id, { x: at.x, y: at.y }] as const] : [],
    ),
  )
}

export function readViewport(layout: Raw): Viewport | null {
  const at = layout.viewport
  return isPlainObject(at) && isNumber(at.x) && isNumber(at.y) && isNumber(at.zoom)
    ? { x: at.x, y: at.y, zoom: at.zoom }
    : null
}

export const docOf = ({ definition, ui_state }: { definition: Raw; ui_state: Raw }): Doc => ({
  definition,
  positions: readPositions(ui_state),
  annotations: readAnnotations(ui_state),
})

/** The layout to save. `before`: the layout as it was saved last; its members and annotations that are unknown here are kept. */
export const layoutOf = ({ positions, annotations }: Omit<Doc, 'definition'>, before: Raw) => ({
  ...before,
  nodes: { ...positions },
  annotations: { ...unreadAnnotations(before), ...annotations },
})
