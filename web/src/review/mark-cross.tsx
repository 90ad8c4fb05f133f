// In charge of the crosshair by which a pin or a box is set with the keyboard. It has the focus from the moment a tool is chosen.
import type { Mark } from '@atelier/contract/review-rules.ts'
import { type KeyboardEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { isCommand, isComposed } from '../ui/keys.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { type At, boxOf, movedBy, placeWords, setBy, startOf } from './mark-keys.ts'
import { onStage, type Placed } from './marks.ts'
import './review.css'

type Props = {
  tool: 'pin' | 'box'
  placed: Placed
  set: (mark: Mark) => void
  giveUp: () => void
  /** Shows the box from its first corner to the crosshair. */
  children: (box: Mark) => ReactNode
}

export function MarkCross({ tool, placed, set, giveUp, children }: Props) {
  const [at, setAt] = useState<At>(() => startOf(placed))
  const [corner, setCorner] = useState<At | null>(null)
  /** Whether the user works by keyboard: the crosshair would only disturb one who draws with a mouse or a finger. */
  const [isSeen, setIsSeen] = useState(false)
  const place = useHeldFocus()
  const hint = useId()
  const enter = () => {
    const mark = setBy(tool, corner, at)
    setCorner(mark ? null : at)
    if (mark) set(mark)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isComposed(event)) return
    const next = movedBy(event.key, event.shiftKey, at, placed)
    if (!next && event.key !== 'Enter' && event.key !== 'Escape') return
    // The viewer and the guest's page would go to another picture, or close.
    event.stopPropagation()
    event.preventDefault()
    setIsSeen(true)
    if (next) setAt(next)
    else if (isCommand(event)) (event.key === 'Enter' ? enter : giveUp)()
  }
  const { x, y } = onStage(at, placed)
  const cross = `M${x - 14} ${y}H${x - 4}M${x + 4} ${y}H${x + 14}M${x} ${y - 14}V${y - 4}M${x} ${y + 4}V${y + 14}`
  return (
    <>
      <div
        {...leaveEscape}
        ref={place}
        className="mark-cross"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is interactive; it handles the arrow keys itself.
        tabIndex={0}
        aria-label={`Place of the ${tool}`}
        aria-describedby={hint}
        onKeyDown={onKeyDown}
        onFocus={({ currentTarget }) => setIsSeen(currentTarget.matches(':focus-visible'))}
        onBlur={() => setIsSeen(false)}
      >
        {isSeen || corner ? (
          <svg className="marks" aria-hidden="true">
            {corner ? children(boxOf(corner, at)) : null}
            <path className="cross-under" d={cross} />
            <path className="cross" d={cross} />
          </svg>
        ) : null}
      </div>
      <p className={isSeen ? 'mark-hint' : 'visually-hidden'} data-top={at[1] > 0.5 || undefined}>
        <span id={hint}>Arrow keys move, with Shift farther. Enter sets {wordsOf(tool, corner)}. Escape gives up.</span>{' '}
        <span aria-live="polite">{placeWords(at)}</span>
        <span className="visually-hidden" aria-live="polite">
          {corner ? `The first corner is set: ${placeWords(corner)}.` : ''}
        </span>
      </p>
    </>
  )
}

const wordsOf = (tool: 'pin' | 'box', corner: At | null): string =>
  tool === 'pin' ? 'the pin' : corner ? 'the other corner' : 'a corner'

/** Focuses the element when it appears. When it disappears, what had the focus before gets it back. */
function useHeldFocus() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    const before = document.activeElement
    element?.focus()
    return () => {
      if (!element?.contains(document.activeElement)) return
      const isThere = before instanceof HTMLElement && before !== document.body && before.isConnected
      const next = isThere ? before : element.closest<HTMLElement>('dialog, main')
      next?.focus({ preventScroll: true })
    }
  }, [])
  return place
}
