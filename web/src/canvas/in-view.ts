// In charge of deciding whether a whole graph is visible, how far the canvas has to be moved to make it visible, and how much space is
// left beside it for the small map. Pure.
import type { Viewport } from './layout.ts'

export type Size = { width: number; height: number }
type Bounds = Size & { x: number; y: number }

/** Whether every node is visible on a canvas of this size. A difference of half a pixel is ignored. */
export function inView({ x, y, width, height }: Bounds, { x: left, y: top, zoom }: Viewport, size: Size): boolean {
  const [from, to] = [left + x * zoom, left + (x + width) * zoom]
  const [above, below] = [top + y * zoom, top + (y + height) * zoom]
  return from >= -0.5 && above >= -0.5 && to <= size.width + 0.5 && below <= size.height + 0.5
}

/** `viewport`, moved only as far as needed to show all nodes at its zoom; null if the nodes do not fit at this zoom. */
export function movedIntoView(bounds: Bounds, viewport: Viewport, size: Size): Viewport | null {
  const { zoom } = viewport
  if (bounds.width * zoom > size.width || bounds.height * zoom > size.height) return null
  return {
    x: within(viewport.x, -bounds.x * zoom, size.width - (bounds.x + bounds.width) * zoom),
    y: within(viewport.y, -bounds.y * zoom, size.height - (bounds.y + bounds.height) * zoom),
    zoom,
  }
}

const within = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

/**
 * The pixels that are left free at the right or at the bottom of a canvas of this size for the small map in that corner: on the side
 * where the graph can be shown larger, or at the bottom if it makes no difference.
 */
export function spaceForMap({ width, height }: Size, canvas: Size, map: Size): { right: number; bottom: number } {
  const zoomIn = (room: Size) => Math.min(1, room.width / Math.max(1, width), room.height / Math.max(1, height))
  const below = zoomIn({ width: canvas.width, height: canvas.height - map.height })
  const beside = zoomIn({ width: canvas.width - map.width, height: canvas.height })
  return beside > below ? { right: map.width, bottom: 0 } : { right: 0, bottom: map.height }
}
