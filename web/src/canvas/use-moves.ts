// In charge of dragging nodes, notes and frames. During a drag, positions change only on the screen; when the drag ends, they are
// applied to the document as one change. Everything inside a frame moves with the frame.
import type { Node, NodeChange } from '@xyflow/react'
import { useCallback, useRef } from 'react'
import type { Point, Positions } from './doc.ts'

/** The position of a frame when its drag began, and the ids and positions of everything inside the frame at that moment. */
export type Carried = { start: Point; inside: readonly (readonly [id: string, at: Point])[] }

export function useMoves(
  move: ((positions: Positions) => void) | undefined,
  show: (positions: Positions | null) => void,
  /** Returns what moves together with a frame; null if the element is not a frame. */
  carriedBy: (id: string) => Carried | null,
) {
  const dragged = useRef<Positions>({})
  const along = useRef<Positions>({})
  const carried = useRef(new Map<string, Carried | null>())
  const latest = useRef(carriedBy)
  latest.current = carriedBy
  return useCallback(
    <T extends Node>(changes: readonly NodeChange<T>[]) => {
      let isOver = false
      let isMoving = false
      for (const change of changes) {
        // A resize also reports a changed position, but it is not a drag.
        if (change.type !== 'position' || change.dragging === undefined) continue
        if (change.dragging) isMoving = true
        else isOver = true
        if (!change.position) continue
        dragged.current = { ...dragged.current, [change.id]: change.position }
        if (!carried.current.has(change.id)) carried.current.set(change.id, latest.current(change.id))
        const frame = carried.current.get(change.id)
        if (frame) along.current = { ...along.current, ...movedAlong(frame, change.position) }
      }
      // An element that is dragged itself follows the pointer, even if it is inside a frame that is dragged too.
      const places = { ...along.current, ...dragged.current }
      if (isMoving) show(places)
      if (!isOver || isMoving) return
      dragged.current = {}
      along.current = {}
      carried.current.clear()
      show(null)
      const rounded = Object.entries(places).map(
        ([id, { x, y }]) => [id, { x: Math.round(x), y: Math.round(y) }] as const,
      )
      if (rounded.length > 0) move?.(Object.fromEntries(rounded))
    },
    [move, show],
  )
}

const movedAlong = ({ start, inside }: Carried, to: Point): Positions =>
  Object.fromEntries(inside.map(([id, at]) => [id, { x: at.x + to.x - start.x, y: at.y + to.y - start.y }]))
