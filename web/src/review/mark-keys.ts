// In charge of setting a pin or a box by keyboard: where the keys move the crosshair, and what they set. Pure.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { begun, drawn, finished, inPicture, onStage, type Placed, type Tool } from './marks.ts'

/** A point in fractions of the picture. */
export type At = readonly [x: number, y: number]

const step = 0.01
const farStep = 0.1
const ways: Readonly<Record<string, At>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Returns the point of the picture in the middle of the stage. There the crosshair starts, even if the picture is enlarged. */
export const startOf = (placed: Placed): At =>
  inPicture({ x: placed.stage.width / 2, y: placed.stage.height / 2 }, placed)

/** Returns where a key moves the crosshair, or null for other keys. It stays in the part of the picture that the stage shows. */
export function movedBy(key: string, isFar: boolean, [x, y]: At, placed: Placed): At | null {
  const way = ways[key]
  if (!way) return null
  const by = isFar ? farStep : step
  const to = onStage([x + way[0] * by, y + way[1] * by], placed)
  const within = (at: number, room: number) => Math.min(room, Math.max(0, at))
  return inPicture({ x: within(to.x, placed.stage.width), y: within(to.y, placed.stage.height) }, placed)
}

/** Returns the mark that Enter sets, or null if it sets only the first corner of a box. Two equal corners are a pin, as a click is. */
export function setBy(tool: Tool, corner: At | null, at: At): Mark | null {
  if (tool === 'box' && corner === null) return null
  return finished(corner ? boxOf(corner, at) : begun(tool, null, at))
}

/** Returns the box from its first corner to the crosshair. */
export function boxOf(corner: At, at: At): Mark {
  const begin = begun('box', null, corner)
  return corner[0] === at[0] && corner[1] === at[1] ? begin : drawn(begin, at)
}

export const placeWords = ([x, y]: At): string => `${Math.round(x * 100)} % across, ${Math.round(y * 100)} % down`
