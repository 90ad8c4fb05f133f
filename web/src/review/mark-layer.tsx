// In charge of the marks over a picture: those that belong to comments, and the mark that the user is drawing now.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { memo, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useStable } from '../lib/use-stable.ts'
import { useGrowing } from '../ui/use-growing.ts'
import { MarkCross } from './mark-cross.tsx'
import {
  anchorOf,
  begun,
  drawn,
  finished,
  inPicture,
  isAround,
  isOnPicture,
  onStage,
  type Placed,
  type Tool,
} from './marks.ts'
import './review.css'
import type { Reviewing } from './use-review.ts'

type Marked = { id: string; mark: Mark | null; number: number; isOpen: boolean }
type Drawing = {
  tool: Tool
  mark: Mark | null
  /** Called when a new mark is begun, before it is drawn. */
  begin?: () => void
  draw: (mark: Mark) => void
  /** Called after a mark was set by keyboard: the words that belong to it come next. */
  goOn: () => void
  giveUp: () => void
}
type Props = {
  placed: Placed
  marked: readonly Marked[]
  chosen: string | null
  choose: (id: string) => void
  /** Null while the user is not drawing. */
  drawing: Drawing | null
  /** The mark of the new comment; shown also while the user is not drawing. */
  unsent?: Mark | null
}

/**
 * Shows the mark of the chosen comment, and those of all unresolved comments, whichever version each was made on. In a film, the
 * mark of an unresolved comment is shown only while the film is at the time of the comment.
 */
export function ReviewMarks({ review, placed }: { review: Reviewing; placed: Placed }) {
  const { threads, tool, mark, setMark, chosen, choose, film, field, drop } = review
  const seconds = useSeconds(film)
  const marked = useMemo(
    () =>
      threads.map((thread) => ({
        ...thread,
        isOpen: thread.resolved === null && (seconds === null || isAround(thread, seconds)),
      })),
    [threads, seconds],
  )
  const drawing = tool && {
    ...{ tool, mark, draw: setMark, begin: review.holdFrame },
    ...{ goOn: () => field.current?.focus(), giveUp: drop },
  }
  return <MarkLayer {...{ placed, chosen, choose, marked, drawing }} unsent={mark} />
}

/** Returns the present time of the film in seconds, or null for a picture. */
function useSeconds(film: HTMLVideoElement | null): number | null {
  const [seconds, setSeconds] = useState<number | null>(null)
  useEffect(() => {
    if (!film) {
      setSeconds(null)
      return
    }
    const read = () => setSeconds(film.currentTime)
    read()
    for (const name of events) film.addEventListener(name, read)
    return () => {
      for (const name of events) film.removeEventListener(name, read)
    }
  }, [film])
  return seconds
}
const events = ['timeupdate', 'seeking', 'seeked'] as const

const marksPerFrame = 50

export function MarkLayer({ placed, marked, chosen, choose, drawing, unsent = null }: Props) {
  const held = useRef<Mark | null>(null)
  const press = useStable(choose)
  const own = drawing?.mark ?? unsent
  const isLoaded = placed.size.width > 0 && placed.size.height > 0
  const shown = marked.slice(0, useGrowing(marked.length, marksPerFrame))
  const stagePointOf = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    return { x: event.clientX - box.left, y: event.clientY - box.top }
  }
  const pointOf = (event: PointerEvent<SVGSVGElement>) => inPicture(stagePointOf(event), placed)
  const pen = drawing && {
    onPointerDown: (event: PointerEvent<SVGSVGElement>) => {
      event.stopPropagation()
      if (!isOnPicture(stagePointOf(event), placed)) return
      event.currentTarget.setPointerCapture(event.pointerId)
      // Further strokes belong to the frame of the first one.
      if (drawing.tool !== 'strokes' || !drawing.mark) drawing.begin?.()
      held.current = begun(drawing.tool, drawing.mark, pointOf(event))
      drawing.draw(held.current)
    },
    onPointerMove: (event: PointerEvent<SVGSVGElement>) => {
      if (!held.current) return
      held.current = drawn(held.current, pointOf(event))
      drawing.draw(held.current)
    },
    onPointerUp: () => {
      if (held.current) drawing.draw(finished(held.current))
      held.current = null
    },
    onPointerCancel: () => {
      held.current = null
    },
  }
  return (
    <>
      <svg className="marks" data-drawing={drawing ? true : undefined} {...pen}>
        <title>Marks on the picture</title>
        {shown.map(({ id, mark, isOpen }) =>
          // A pin is shown as the number of its comment. While the user draws, the numbers are hidden, so pins are drawn as shapes.
          mark && (isOpen || id === chosen) && (drawing || mark.kind !== 'pin') ? (
            <Shape key={id} mark={mark} placed={placed} isChosen={id === chosen} />
          ) : null,
        )}
        {own ? <Shape mark={own} placed={placed} isChosen /> : null}
      </svg>
      {drawing && drawing.tool !== 'strokes' && isLoaded ? (
        <MarkCross
          key={drawing.tool}
          tool={drawing.tool}
          {...{ placed, giveUp: drawing.giveUp }}
          set={(mark) => {
            drawing.begin?.()
            drawing.draw(mark)
            drawing.goOn()
          }}
        >
          {(box) => <Shape mark={box} placed={placed} isChosen />}
        </MarkCross>
      ) : null}
      {drawing
        ? null
        : shown.map(({ id, mark, number, isOpen }) => {
            if (!mark || !(isOpen || id === chosen)) return null
            return <Numbered key={id} {...{ id, mark, number, placed, press }} isChosen={id === chosen} />
          })}
    </>
  )
}

type ShapeProps = { mark: Mark; placed: Placed; isChosen: boolean }
type NumberedProps = ShapeProps & { id: string; number: number; press: (id: string) => void }

/** Memoized, because there can be hundreds of marks; so only changed marks are rendered again. */
const Numbered = memo(function Numbered({ id, mark, number, placed, isChosen, press }: NumberedProps) {
  const { x, y } = onStage(anchorOf(mark), placed)
  return (
    <button
      type="button"
      className="mark-number"
      tabIndex={-1}
      aria-label={`Comment ${number} on the picture`}
      aria-pressed={isChosen}
      style={{ left: x, top: y }}
      onPointerDown={(event) => event.stopPropagation()}
      onClick={() => press(id)}
    >
      {number}
    </button>
  )
})

const Shape = memo(function Shape({ mark, placed, isChosen }: ShapeProps) {
  const chosen = isChosen || undefined
  const points = mark.lines.map((line) => line.map((point) => onStage(point, placed)))
  if (mark.kind === 'box') {
    const [[from, to] = []] = points
    if (!from || !to) return null
    return (
      <rect
        data-chosen={chosen}
        x={Math.min(from.x, to.x)}
        y={Math.min(from.y, to.y)}
        width={Math.abs(to.x - from.x)}
        height={Math.abs(to.y - from.y)}
      />
    )
  }
  if (mark.kind === 'pin') {
    const at = points[0]?.[0]
    return at ? <circle data-chosen={chosen} cx={at.x} cy={at.y} r={7} /> : null
  }
  const path = points.map((line) => line.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')).join('')
  return <path data-chosen={chosen} d={path} />
})
