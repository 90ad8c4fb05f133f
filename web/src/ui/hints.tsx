// In charge of the hint that appears while the mouse rests on an element with `data-hint`. The whole page has a single hint
// component: scrolling quickly creates and removes cards, and a tooltip component in each card would be slow.
import { useEffect, useState } from 'react'

type Hint = { words: string; x: number; y: number; isBelow: boolean }

const restMs = 350
/** Half the width of the widest hint in pixels: no hint is closer to the left or right edge, so that none is cut off. */
const margin = 148
/** If an element is fewer pixels than this from the upper edge of the page, its hint is shown below the element. */
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

/** Finds the hint at a point. A link covers the marks of a card, so elements below the top one (in the same card) count too. */
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
