// In charge of how fast the board scrolls while a card is dragged near its edge. Pure.

/** The present position of the pointer, and its leftmost and rightmost positions since the drag began. */
export type Trail = { x: number; min: number; max: number }

export const trailFrom = (x: number): Trail => ({ x, min: x, max: x })
export const trailOn = ({ min, max }: Trail, x: number): Trail => ({ x, min: Math.min(min, x), max: Math.max(max, x) })

/** The width of the strip at each edge in which the board scrolls: less than half the width of a column that may be the target. */
const zonePixels = 72
const zoneShare = 0.15
/** The highest speed in pixels per millisecond, reached at the edge and beyond it. */
const fastest = 1
/** How far the pointer must move towards an edge before the board scrolls, since a drag may begin on a card at the edge. */
const intended = 16

/** The speed in pixels per millisecond; negative values scroll to the left. */
export function edgeSpeed({ x, min, max }: Trail, { left, right }: { left: number; right: number }): number {
  const zone = Math.min(zonePixels, (right - left) * zoneShare)
  if (x > right - zone && x - min >= intended) return speedAt((x - right + zone) / zone)
  if (x < left + zone && max - x >= intended) return -speedAt((left + zone - x) / zone)
  return 0
}

/** The speed is low at the inner side of the strip, so that a person can aim at a column there. */
const speedAt = (depth: number): number => fastest * Math.min(depth, 1) ** 2

/** The longest time between frames that counts, so that after a busy moment the board does not jump by the missed time. */
const longestFrame = 50

export const edgeStep = (speed: number, elapsedMs: number): number =>
  speed * Math.min(Math.max(elapsedMs, 0), longestFrame)
