// In charge of the position and zoom of the picture in the viewer; both are reset when another picture is shown.
import { useMemo, useState } from 'react'
import { fitted, panned, type Size, type View, zoomed } from './viewer-view.ts'

export type Placing = ReturnType<typeof usePlacing>

export function usePlacing() {
  /** The size of the shown picture in pixels; null until the picture is loaded. */
  const [size, setSize] = useState<Size | null>(null)
  const [stage, setStage] = useState<Size>({ width: 1, height: 1 })
  const [view, setView] = useState<View | null>(null)
  const now = useMemo(() => (size ? (view ?? fitted(size, stage)) : null), [size, stage, view])
  const change = (next: (view: View, size: Size) => View) => {
    if (size && now) setView(next(now, size))
  }
  const zoom = (factor: number, point = { x: 0, y: 0 }) =>
    change((before, picture) => zoomed(before, factor, point, picture, stage))
  const whole = () => setView(null)
  const toggle = (point: { x: number; y: number }) => {
    if (view !== null) return whole()
    zoom(now && now.scale < 1 ? 1 / now.scale : 2, point)
  }
  return {
    ...{ size, setSize, stage, setStage, view, now, zoom, whole, toggle },
    pan: (x: number, y: number) => change((before, picture) => panned(before, { x, y }, picture, stage)),
    pixels: () => change((before, picture) => zoomed(before, 1 / before.scale, { x: 0, y: 0 }, picture, stage)),
    /** Forgets the size, position and zoom of the picture; called before another picture is shown. */
    reset: () => {
      setSize(null)
      setView(null)
    },
  }
}
