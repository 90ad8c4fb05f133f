// In charge of the graph staying in sight when the canvas gets smaller, as when the results come up below it.
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { inView, movedIntoView, type Size } from './in-view.ts'

/**
 * If the whole graph was visible, it is made visible again, at the same zoom if possible. A person who looks at a part of it
 * stays there.
 */
export function useKeepInView(): void {
  const flow = useReactFlow()
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
