// In charge of calculating how fast the board scrolls while a card is dragged near one of the board's edges. Pure.

/** The present x coordinate of the pointer, and the smallest and largest one since the drag began. */
export type Trail = { x: number; min: number; max: number }

export const trailFrom = (x: number): Trail => ({ x, min: x, max: x })
export const trailOn = ({ min, max }: Trail, x: number): Trail => ({ x, min: Math.min(min, x), max: Math.max(max, x) })

/**
 * The board scrolls while the pointer is in a strip along its left or right edge. The strip is `zonePixels` wide, but at most
 * `zoneShare` of the board, and so narrower than half a column: a card can still be dropped in the outermost column.
 */
const zonePixels = 72
const zoneShare = 0.15
/** The highest speed, in pixels per millisecond; reached at the edge of the board and beyond it. */
const fastest = 1
/** How far in pixels the pointer must move towards an edge before the board scrolls, because a drag may begin close to the edge. */
const intended = 16

/** The speed of scrolling in pixels per millisecond; a negative speed scrolls to the left. */
export function edgeSpeed({ x, min, max }: Trail, { left, right }: { left: number; right: number }): number {
  const zone = Math.min(zonePixels, (right - left) * zoneShare)
  if (x > right - zone && x - min >= intended) return speedAt((x - right + zone) / zone)
  if (x < left + zone && max - x >= intended) return -speedAt((left + zone - x) / zone)
  return 0
}

/**
 * `depth`: 0 where the strip begins, 1 at the edge of the board. The speed is low where the strip begins and rises towards the
 * edge, so that a user can still aim at a column in the strip.
 */
const speedAt = (depth: number): number => fastest * Math.min(depth, 1) ** 2

/** The longest time in milliseconds for which one step scrolls, so that the board does not jump after the browser was busy. */
const longestFrame = 50

export const edgeStep = (speed: number, elapsedMs: number): number =>
  speed * Math.min(Math.max(elapsedMs, 0), longestFrame)
