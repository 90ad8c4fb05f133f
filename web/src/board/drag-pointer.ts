// In charge of the pointer while it drags a card: finding the column under the pointer, and scrolling the board at its edges.
//
// dnd-kit can do both, but not reliably. It measures rectangles when the set of scrollable elements changes, and uses them for
// scrolling. If such a change coincides with the first report of its ResizeObserver, dnd-kit does not measure, but takes the
// rectangle of the card list for that of the board: a pointer at the right side of a column is then treated as if it were at the
// edge of the board. Besides, at the end of a drag dnd-kit reports the column that was under the pointer when the last frame was
// drawn; a fast pointer has already left that column.
import { columnAt } from './drop-target.ts'
import { edgeSpeed, edgeStep, trailFrom, trailOn } from './edge-scroll.ts'

export type Point = { x: number; y: number }

export type DragPointer = {
  /** The position of the pointer; after the end of the drag, the position where the pointer was released. */
  at: () => Point
  end: () => void
}

const boardOf = (): Element | null => document.querySelector('.board')

/** The name of the column in which a card is dropped at this point; null if no column is visible there. */
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

/** Follows the pointer that began the drag. Returns null if the drag was begun with the keyboard. */
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
  // Touch events are listened for at the element on which the touch began: browsers send them there, and if the virtual list has
  // removed the element meanwhile, they never reach the window.
  const source = activator instanceof MouseEvent ? window : activator.target
  for (const type of ['mousemove', 'mouseup', 'touchmove', 'touchend']) {
    source?.addEventListener(type, follow, { capture: true, passive: true, signal: following.signal })
  }
  // In another window, the pointer moves without this one hearing of it. Until it comes to an edge again, the board stays where it is.
  const rest = () => {
    trail = trailFrom(point.x)
  }
  window.addEventListener('blur', rest, { signal: following.signal })
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
  // Some browsers do not define `TouchEvent`.
  if (typeof TouchEvent === 'undefined' || !(event instanceof TouchEvent)) return null
  const touch = event.touches[0] ?? event.changedTouches[0]
  return touch ? { x: touch.clientX, y: touch.clientY } : null
}

/**
 * Scrolls the board in each frame, at the speed that `speed` returns, until the returned function is called. Meanwhile, the
 * attribute `data-dragging` switches scroll snapping off, because snapping would undo small steps.
 */
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

/** Called if Escape ended a drag while the mouse button is down: the release of the button must not count as a click on a card. */
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
