// In charge of how fast the board moves along while a card is dragged near its edge. Pure.

/** Where the pointer is, and how far to the left and to the right it has been since the drag began. */
export type Trail = { x: number; min: number; max: number }

export const trailFrom = (x: number): Trail => ({ x, min: x, max: x })
export const trailOn = ({ min, max }: Trail, x: number): Trail => ({ x, min: Math.min(min, x), max: Math.max(max, x) })

/** How wide the strip at each edge is in which the board moves: narrower than half of any column that may be meant. */
const zonePixels = 72
const zoneShare = 0.15
/** Pixels in a millisecond, at the very edge and beyond it. */
const fastest = 1
/** How far the pointer has to go towards an edge before that edge counts: cards that lie there are picked up too. */
const intended = 16

/** Pixels in a millisecond, negative to the left. */
export function edgeSpeed({ x, min, max }: Trail, { left, right }: { left: number; right: number }): number {
  const zone = Math.min(zonePixels, (right - left) * zoneShare)
  if (x > right - zone && x - min >= intended) return speedAt((x - right + zone) / zone)
  if (x < left + zone && max - x >= intended) return -speedAt((left + zone - x) / zone)
  return 0
}

/** Slow where the strip begins, so that a column can be met. */
const speedAt = (depth: number): number => fastest * Math.min(depth, 1) ** 2

/** After a busy moment the page scrolls on slowly, and does not jump by the time it missed. */
const longestFrame = 50

export const edgeStep = (speed: number, elapsedMs: number): number =>
  speed * Math.min(Math.max(elapsedMs, 0), longestFrame)
