// In charge of the hint that appears while the mouse rests on an element with `data-hint`. There is one hint component for the
// whole page: cards are created and removed quickly while a user scrolls, and a tooltip component in each card would be slow.
import { useEffect, useState } from 'react'

type Hint = { words: string; x: number; y: number; isBelow: boolean }

const restMs = 350
/** Half the width of the widest hint in pixels. The centre of a hint is never closer to the left or right edge of the page. */
const margin = 148
/** The room in pixels that a hint needs above its element. With less room, the hint is shown below the element. */
const roomAbove = 60

export function Hints() {
  const [hint, setHint] = useState<Hint | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const leave = () => {
      clearTimeout(timer)
      setHint(null)
    }
    const move = ({ pointerType, buttons, clientX, clientY }: PointerEvent) => {
      leave()
      if (pointerType === 'mouse' && buttons === 0) timer = setTimeout(() => setHint(hintAt(clientX, clientY)), restMs)
    }
    const stopping = ['pointerdown', 'keydown', 'scroll', 'blur'] as const
    addEventListener('pointermove', move)
    for (const name of stopping) addEventListener(name, leave, { capture: true, passive: true })
    return () => {
      leave()
      removeEventListener('pointermove', move)
      for (const name of stopping) removeEventListener(name, leave, { capture: true })
    }
  }, [])
  if (!hint) return null
  return (
    <div
      className="hint-tip"
      role="tooltip"
      data-below={hint.isBelow || undefined}
      style={{ left: `clamp(${margin}px, ${hint.x}px, 100vw - ${margin}px)`, top: hint.y }}
    >
      {hint.words}
    </div>
  )
}

/** Finds the hint at a point. In a card, a link lies over the elements that have hints; so elements under the top one count too. */
function hintAt(x: number, y: number): Hint | null {
  const under = document.elementsFromPoint(x, y)
  const place = under[0]?.closest('article, [data-hint]')
  const found = under.find((element) => element.hasAttribute('data-hint') && place?.contains(element))
  const words = found?.getAttribute('data-hint')
  if (!found || !words) return null
  const { left, width, top, bottom } = found.getBoundingClientRect()
  const isBelow = top < roomAbove
  return { words, x: left + width / 2, y: isBelow ? bottom : top, isBelow }
}
