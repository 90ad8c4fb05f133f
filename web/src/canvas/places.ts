// In charge of finding a position for a new node: near the wanted position, and without covering another node. Pure.
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
