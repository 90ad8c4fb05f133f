// In charge of deciding whether a whole graph is visible, how far the canvas has to be moved to make it visible, how much space is
// left beside it for the small map and the tools to zoom, and which part of a graph is shown that is too large for the smallest zoom. Pure.
import type { Viewport } from './layout.ts'
import { around } from './places.ts'

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

/** The pixels at the edges of a canvas that are left free for what lies over its lower corners. */
export type Space = { left: number; right: number; bottom: number }

/** The ways to leave the lower corners of a canvas free: the right one for the small map, the left one for the tools to zoom. */
export const spacesBeside = (map: Size, tools: Size): [Space, ...Space[]] => [
  { left: 0, right: 0, bottom: Math.max(map.height, tools.height) },
  { left: 0, right: map.width, bottom: tools.height },
  { left: tools.width, right: map.width, bottom: 0 },
]

export const roomIn = (canvas: Size, { left, right, bottom }: Space): Size => ({
  width: canvas.width - left - right,
  height: canvas.height - bottom,
})

/** The one of these spaces that lets the graph be shown largest; the first of them if it makes no difference. */
export function bestSpace({ width, height }: Size, canvas: Size, spaces: readonly [Space, ...Space[]]): Space {
  const zoomWith = (space: Space) => {
    const room = roomIn(canvas, space)
    return Math.min(1, room.width / Math.max(1, width), room.height / Math.max(1, height))
  }
  return spaces.reduce((best, next) => (zoomWith(next) > zoomWith(best) ? next : best))
}

/** The smallest zoom of the canvas. */
export const leastZoom = 0.1

/** The box of an element on the canvas. `isCard`: it is a node of the graph, and not a note or a frame. */
export type Placed = Bounds & { id: string; isCard: boolean }

/**
 * The ids of the elements to show where all are to be shown: all of them if they fit into one of these `rooms`, which are given in
 * canvas coordinates; else as many nodes as fit into one of them, and of these as many notes and frames; of several such places the
 * leftmost. Empty if no element fits.
 */
export function fullestCluster(all: readonly Placed[], rooms: readonly Size[]): string[] {
  const box = around(all)
  const isAllIn = rooms.some(({ width, height }) => box && box.width <= width && box.height <= height)
  if (isAllIn) return all.map(({ id }) => id)
  const found = rooms.map((room) => fullestIn(all, room))
  return found.reduce((best, next) => (next.worth > best.worth ? next : best), nowhere).ids
}

type Cluster = { worth: number; ids: string[] }
const nowhere: Cluster = { worth: 0, ids: [] }

/** In how many places across a room is tried at first; in a larger graph, only at every so many elements, to save time. */
const tries = 200

/** Tries the room with its left edge at one element after the other, and slides it down from element to element there. */
function fullestIn(all: readonly Placed[], room: Size): Cluster {
  const fitting = all.filter(({ width, height }) => width <= room.width && height <= room.height)
  // One node counts for more than all notes and frames.
  const worthOf = ({ isCard }: Placed) => (isCard ? all.length + 1 : 1)
  const byTop = fitting.toSorted((one, other) => one.y - other.y)
  const byBottom = fitting.toSorted((one, other) => one.y + one.height - other.y - other.height)
  const tryAt = (left: number): Place => {
    const isBeside = ({ x, width }: Placed) => x >= left && x + width <= left + room.width
    return { left, ...fullestAlong(byTop.filter(isBeside), byBottom.filter(isBeside), room.height, worthOf) }
  }
  const lefts = [...new Set(fitting.map(({ x }) => x))].toSorted((one, other) => one - other)
  const step = Math.ceil(lefts.length / tries)
  const coarse = fullestOf(lefts.filter((_, index) => index % step === 0).map(tryAt))
  const near = lefts.indexOf(coarse.left)
  const { worth, left, top } =
    step > 1 ? fullestOf(lefts.slice(Math.max(0, near - step + 1), near + step).map(tryAt)) : coarse
  const isIn = ({ x, y, width, height }: Placed) =>
    x >= left && y >= top && x + width <= left + room.width && y + height <= top + room.height
  return worth === 0 ? nowhere : { worth, ids: fitting.filter(isIn).map(({ id }) => id) }
}

type Place = { worth: number; left: number; top: number }
const fullestOf = (places: readonly Place[]): Place =>
  places.reduce((best, next) => (next.worth > best.worth ? next : best), { worth: 0, left: 0, top: 0 })

/** Where a room of this height, slid down along these elements, holds most of them. */
function fullestAlong(
  byTop: readonly Placed[],
  byBottom: readonly Placed[],
  height: number,
  worthOf: (one: Placed) => number,
): { worth: number; top: number } {
  let best = { worth: 0, top: 0 }
  let [worth, next] = [0, 0]
  for (const first of byTop) {
    for (let end = byBottom[next]; end && end.y + end.height <= first.y + height; end = byBottom[next]) {
      worth += worthOf(end)
      next += 1
    }
    if (worth > best.worth) best = { worth, top: first.y }
    // What is tried next begins lower, so that this element is not in the room any more.
    worth -= worthOf(first)
  }
  return best
}
