// In charge of the pointer while it drags a card: which column it is over, and the board that moves along at its edge.
//
// dnd-kit has both, but not reliably. It scrolls by rectangles that it measures when the elements to scroll change; where
// that coincides with its ResizeObserver's first report they are not measured, and the board is judged by the rectangle of
// the card list: a pointer at the right side of a column then counts as one at the edge of the board. And the column it
// reports at the end is that of the last drawn frame, which a fast pointer has already left.
import { columnAt } from './drop-target.ts'
import { edgeSpeed, edgeStep, trailFrom, trailOn } from './edge-scroll.ts'

export type Point = { x: number; y: number }

export type DragPointer = {
  /** Where it is; after the end, where it let go. */
  at: () => Point
  end: () => void
}

const boardOf = (): Element | null => document.querySelector('.board')

/** The name of the column that is to be seen at a point. */
export function columnUnder({ x, y }: Point): string | null {
  const board = boardOf()
  const place = board?.getBoundingClientRect()
  if (!board || !place || x < place.left || x > place.right || y < place.top || y > place.bottom) return null
  const columns = [...board.querySelectorAll<HTMLElement>('.column')].map((element) => {
    const { left, right } = element.getBoundingClientRect()
    return { name: element.dataset.column ?? '', left, right }
  })
  return columnAt(columns, x)
}

/** Follows the pointer that began a drag; null where a key did. */
export function followPointer(activator: Event): DragPointer | null {
  const first = pointOf(activator)
  const board = boardOf()
  if (!first || !board) return null
  let point = first
  let trail = trailFrom(first.x)
  let isHeld = true
  const following = new AbortController()
  const follow = (event: Event) => {
    point = pointOf(event) ?? point
    trail = trailOn(trail, point.x)
    isHeld = event.type !== 'mouseup'
  }
  // A finger's events stay with what it touched first, even where a list that is scrolled takes that off the page.
  const source = activator instanceof MouseEvent ? window : activator.target
  for (const type of ['mousemove', 'mouseup', 'touchmove', 'touchend']) {
    source?.addEventListener(type, follow, { capture: true, passive: true, signal: following.signal })
  }
  const stopScrolling = scrollWhile(board, () => edgeSpeed(trail, board.getBoundingClientRect()))
  return {
    at: () => point,
    end: () => {
      stopScrolling()
      following.abort()
      if (isHeld && activator instanceof MouseEvent) ignoreRelease()
    },
  }
}

function pointOf(event: Event): Point | null {
  if (event instanceof MouseEvent) return { x: event.clientX, y: event.clientY }
  // Not every browser knows touches.
  if (typeof TouchEvent === 'undefined' || !(event instanceof TouchEvent)) return null
  const touch = event.touches[0] ?? event.changedTouches[0]
  return touch ? { x: touch.clientX, y: touch.clientY } : null
}

/** Scrolls in each frame by the present speed. Columns do not snap meanwhile, which would undo small steps. */
function scrollWhile(board: Element, speed: () => number): () => void {
  let before: number | null = null
  const step = (now: number) => {
    const by = edgeStep(speed(), before === null ? 0 : now - before)
    before = now
    if (by !== 0) board.scrollBy({ left: by, behavior: 'instant' })
    frame = requestAnimationFrame(step)
  }
  let frame = requestAnimationFrame(step)
  board.toggleAttribute('data-dragging', true)
  return () => {
    cancelAnimationFrame(frame)
    board.removeAttribute('data-dragging')
  }
}

/** After Escape has ended a drag, releasing the mouse must not count as a click on the card below it. */
function ignoreRelease(): void {
  const ignoring = new AbortController()
  const { signal } = ignoring
  const ignore = (event: MouseEvent) => {
    event.preventDefault()
    event.stopPropagation()
    ignoring.abort()
  }
  window.addEventListener('click', ignore, { capture: true, signal })
  window.addEventListener('mousedown', () => ignoring.abort(), { capture: true, signal })
}
