// In charge of calculating the position of marks on the stage, and of drawing marks with a mouse or a finger. Pure.
import type { Mark, markKinds } from '@atelier/contract/review-rules.ts'
import type { Point, Size, View } from '../ui/viewer-view.ts'

export type Tool = (typeof markKinds)[number]
export type Placed = { view: View; size: Size; stage: Size }

/** Converts a point in fractions of the picture to pixels from the upper left corner of the stage. */
export const onStage = ([x = 0, y = 0]: readonly number[], { view, size, stage }: Placed): Point => ({
  x: stage.width / 2 + view.x + (x - 0.5) * size.width * view.scale,
  y: stage.height / 2 + view.y + (y - 0.5) * size.height * view.scale,
})

/** Does the reverse of `onStage`, rounded to 5 decimals. A point outside the picture is moved to the nearest edge. */
export function inPicture({ x, y }: Point, { view, size, stage }: Placed): [number, number] {
  const part = (at: number, moved: number, room: number, length: number) => {
    const whole = 0.5 + (at - room / 2 - moved) / (length * view.scale)
    return Math.round(Math.min(1, Math.max(0, whole)) * 1e5) / 1e5
  }
  return [part(x, view.x, stage.width, size.width), part(y, view.y, stage.height, size.height)]
}

/** How many pixels beside the picture a press still counts as one on its edge. */
const edge = 6

/** Whether a point of the stage is on the picture. */
export function isOnPicture({ x, y }: Point, placed: Placed): boolean {
  const [from, to] = [onStage([0, 0], placed), onStage([1, 1], placed)]
  return x >= from.x - edge && x <= to.x + edge && y >= from.y - edge && y <= to.y + edge
}

/** The most points that one line of a mark may have. */
const mostInLine = 500
const mostLines = 20

/** Starts a new mark at a point. With the tool `strokes`, an existing mark of strokes gets another line instead. */
export function begun(tool: Tool, mark: Mark | null, point: readonly number[]): Mark {
  const before = tool === 'strokes' && mark?.kind === 'strokes' ? mark.lines.slice(0, mostLines - 1) : []
  return { kind: tool, lines: [...before, [[...point]]] }
}

/** Extends the mark that is being drawn to a point. */
export function drawn(mark: Mark, point: readonly number[]): Mark {
  const last = mark.lines.at(-1) ?? []
  const [first = [...point]] = last
  const next = {
    pin: [[...point]],
    box: [first, [...point]],
    strokes: last.length < mostInLine ? [...last, [...point]] : last,
  }[mark.kind]
  return { kind: mark.kind, lines: [...mark.lines.slice(0, -1), next] }
}

/** Ends drawing a mark. A box with only one point (the user clicked but did not drag) becomes a pin. */
export const finished = (mark: Mark): Mark =>
  mark.kind === 'box' && (mark.lines[0]?.length ?? 0) < 2
    ? { kind: 'pin', lines: [[...(mark.lines[0]?.[0] ? [mark.lines[0][0]] : [])]] }
    : mark

/** Returns the point where the number of a mark is shown. */
export const anchorOf = ({ lines }: Mark): readonly number[] => lines[0]?.[0] ?? [0.5, 0.5]

type Timed = { from_seconds: number | null; to_seconds: number | null }

/**
 * Whether a comment is about the moment `seconds` of a film; a comment without a time is about every moment. Its time is extended
 * by 0.1 seconds before and half a second after, so that the mark can be seen during playback.
 */
export function isAround({ from_seconds, to_seconds }: Timed, seconds: number): boolean {
  if (from_seconds === null) return true
  return seconds > from_seconds - 0.1 && seconds < (to_seconds ?? from_seconds) + 0.5
}

/** Returns the view that shows the whole film on the stage, as large as possible. */
export const contained = (size: Size, stage: Size): View => ({
  scale: Math.min(stage.width / size.width, stage.height / size.height),
  x: 0,
  y: 0,
})

/** Returns for example `0:07` or `1:02:03`. */
export function timeWords(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (count: number) => String(count).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
