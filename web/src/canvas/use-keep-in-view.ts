// In charge of showing a whole graph at first, and of keeping it visible when its canvas becomes smaller, for example when results are
// shown below the canvas.
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { inView, movedIntoView, type Size } from './in-view.ts'
import { useFirstFit } from './use-fit.ts'

/**
 * If the whole graph was visible before the canvas changed its size, and is not any more, moves the graph into view again, at the
 * same zoom if possible. If only a part of the graph was visible before, the view does not change. `isWholeAtFirst`: whether the whole
 * graph is shown when the canvas opens.
 */
export function useKeepInView(isWholeAtFirst: boolean): void {
  const flow = useReactFlow()
  useFirstFit(isWholeAtFirst)
  const width = useStore((store) => store.width)
  const height = useStore((store) => store.height)
  const before = useRef<Size>({ width: 0, height: 0 })
  useEffect(() => {
    const was = before.current
    const now = { width, height }
    before.current = now
    if (was.width === 0 || was.height === 0) return
    const bounds = flow.getNodesBounds(flow.getNodes())
    const viewport = flow.getViewport()
    if (!inView(bounds, viewport, was) || inView(bounds, viewport, now)) return
    const moved = movedIntoView(bounds, viewport, now)
    if (moved) void flow.setViewport(moved)
    else void flow.fitView({ maxZoom: viewport.zoom, padding: 0.06 })
  }, [flow, width, height])
}
