// In charge of marks on pictures: their position on the stage, and how they are drawn with a mouse or a finger. Pure.
import type { Mark, markKinds } from '@atelier/contract/review-rules.ts'
import type { Point, Size, View } from '../ui/viewer-view.ts'

export type Tool = (typeof markKinds)[number]
export type Placed = { view: View; size: Size; stage: Size }

/** Converts a point in fractions of the picture to pixels of the stage, from its upper left corner. */
export const onStage = ([x = 0, y = 0]: readonly number[], { view, size, stage }: Placed): Point => ({
  x: stage.width / 2 + view.x + (x - 0.5) * size.width * view.scale,
  y: stage.height / 2 + view.y + (y - 0.5) * size.height * view.scale,
})

/** The reverse of `onStage`, rounded to 5 decimals; a point outside the picture is moved to its nearest edge. */
export function inPicture({ x, y }: Point, { view, size, stage }: Placed): [number, number] {
  const part = (at: number, moved: number, room: number, length: number) => {
    const whole = 0.5 + (at - room / 2 - moved) / (length * view.scale)
    return Math.round(Math.min(1, Math.max(0, whole)) * 1e5) / 1e5
  }
  return [part(x, view.x, stage.width, size.width), part(y, view.y, stage.height, size.height)]
}

/** The most points in one line. */
const mostInLine = 500
const mostLines = 20

/** Starts a mark, or another line of a mark of strokes. */
export function begun(tool: Tool, mark: Mark | null, point: readonly number[]): Mark {
  const before = tool === 'strokes' && mark?.kind === 'strokes' ? mark.lines.slice(0, mostLines - 1) : []
  return { kind: tool, lines: [...before, [[...point]]] }
}

/** Extends the mark to a point. */
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

/** A box with only one point (a tap without a drag) becomes a pin. */
export const finished = (mark: Mark): Mark =>
  mark.kind === 'box' && (mark.lines[0]?.length ?? 0) < 2
    ? { kind: 'pin', lines: [[...(mark.lines[0]?.[0] ? [mark.lines[0][0]] : [])]] }
    : mark

/** The point at which the number of a mark is shown. */
export const anchorOf = ({ lines }: Mark): readonly number[] => lines[0]?.[0] ?? [0.5, 0.5]

type Timed = { from_seconds: number | null; to_seconds: number | null }

/** Whether a comment is about this moment of a film; it stays visible half a second longer, to be seen during playback. */
export function isAround({ from_seconds, to_seconds }: Timed, seconds: number): boolean {
  if (from_seconds === null) return true
  return seconds > from_seconds - 0.1 && seconds < (to_seconds ?? from_seconds) + 0.5
}

/** Shows the whole film on the stage, as large as possible. */
export const contained = (size: Size, stage: Size): View => ({
  scale: Math.min(stage.width / size.width, stage.height / size.height),
  x: 0,
  y: 0,
})

/** For example `0:07` or `1:02:03`. */
export function timeWords(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (count: number) => String(count).padStart(2, '0')
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
