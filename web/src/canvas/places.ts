// In charge of finding a position for new elements: for a node near the wanted position, and without covering another node; for a
// copy in sight, and never exactly on another element. Pure.
import type { Size } from './arrange.ts'
import type { Point } from './doc.ts'

export type Box = Point & Size
const gap = 24

const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width + gap &&
  other.x < one.x + one.width + gap &&
  one.y < other.y + other.height + gap &&
  other.y < one.y + one.height + gap

/** The wanted position `wish` if a box of this size fits there, otherwise the nearest free position above or below it. */
export function freePlace(wish: Point, size: Size, taken: readonly Box[]): Point {
  const near = taken.filter((box) => overlap({ ...box, y: wish.y }, { ...wish, ...size }))
  const tries = [wish.y, ...near.flatMap((box) => [box.y + box.height + gap, box.y - gap - size.height])]
  const free = tries
    .toSorted((one, other) => Math.abs(one - wish.y) - Math.abs(other - wish.y))
    .find((y) => !near.some((box) => overlap(box, { x: wish.x, y, ...size })))
  return { x: Math.round(wish.x), y: Math.round(free ?? wish.y) }
}

/** The smallest box around all of these; null if there are none. */
export function around(boxes: readonly Box[]): Box | null {
  if (boxes.length === 0) return null
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  const right = Math.max(...boxes.map((box) => box.x + box.width))
  const bottom = Math.max(...boxes.map((box) => box.y + box.height))
  return { x, y, width: right - x, height: bottom - y }
}

/** How far a copy stands from its original, and from an earlier copy, to the right and down. */
const copyStep = 40

/** `pointer`: where the mouse is, if it is over the canvas; `view`: the part of the canvas that is visible. */
export type Sight = { pointer: Point | null; view: Box }

/**
 * How far the copy of these boxes is moved: its top left corner to the pointer; else a step from the original, if the middle of the
 * copy is visible there; else its middle to that of the view. From there it moves on, as `movedOn` does.
 */
export function pasteMove(boxes: readonly Box[], { pointer, view }: Sight, taken: readonly Point[]): Point {
  const box = around(boxes)
  if (!box) return { x: 0, y: 0 }
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const ends = { x: view.x + view.width, y: view.y + view.height }
  const isIn = (axis: 'x' | 'y') => middle[axis] + copyStep >= view[axis] && middle[axis] + copyStep <= ends[axis]
  if (pointer) return movedOn(boxes, { x: pointer.x - box.x, y: pointer.y - box.y }, taken)
  if (isIn('x') && isIn('y')) return duplicateMove(boxes, taken)
  return movedOn(boxes, { x: (view.x + ends.x) / 2 - middle.x, y: (view.y + ends.y) / 2 - middle.y }, taken)
}

/** How far a duplicate of these boxes is moved: a step from the original, and on from there as `movedOn` does. */
export const duplicateMove = (boxes: readonly Box[], taken: readonly Point[]): Point =>
  movedOn(boxes, { x: copyStep, y: copyStep }, taken)

/**
 * The move `by`, and as many steps more as it takes until no box has its top left corner where one of `taken` is. Corners that are
 * less than half a step apart count as the same: the one below would be hidden as well.
 */
function movedOn(boxes: readonly Point[], by: Point, taken: readonly Point[]): Point {
  const isSame = (one: number, other: number) => Math.abs(one - other) < copyStep / 2
  const [x, y] = [Math.round(by.x), Math.round(by.y)]
  // Each pair of boxes is in the way of one step at most.
  for (let step = 0; ; step += copyStep) {
    const isOn = boxes.some((box) =>
      taken.some((other) => isSame(box.x + x + step, other.x) && isSame(box.y + y + step, other.y)),
    )
    if (!isOn) return { x: x + step, y: y + step }
  }
}
