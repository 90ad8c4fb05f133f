// In charge of which comments of a long thread are drawn: the newest at first, and earlier ones above them when the user asks for
// these. What the user was looking at then stays where it was on the screen.
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useGrowing } from '../ui/use-growing.ts'

/** How many comments are drawn at first, and how many more each time the user asks for more. */
const newest = 50
export const more = 200
/** How many comments each animation frame adds. */
const rowsPerFrame = 50

type Said = { id: string }

/**
 * `isChanged`: whether the user has begun to change a comment and has not saved that. Such comments are drawn too, for the text would
 * otherwise be out of sight.
 */
export function useEarlier<S extends Said>(comments: readonly S[], isChanged: (id: string) => boolean) {
  const [opened] = useState(() => {
    const at = Math.max(0, comments.length - newest)
    const changed = comments.findIndex(({ id }) => isChanged(id))
    return { id: comments[at]?.id, at, asked: changed < 0 ? 0 : Math.max(0, at - changed) }
  })
  const [asked, setAsked] = useState(opened.asked)
  // Comments that come later do not push out the first one; if that is deleted, the next one has its place.
  const held = comments.findIndex(({ id }) => id === opened.id)
  const before = held < 0 ? Math.min(opened.at, comments.length) : held
  const drawn = useGrowing(Math.min(asked, before), rowsPerFrame)
  return {
    shown: comments.slice(before - drawn),
    /** How many earlier comments the user has not asked for. */
    left: Math.max(0, before - asked),
    showMore: () => setAsked(asked + more),
  }
}

/** Keeps the `rows` of `list` in place on the screen when others are drawn above them. The element around the list is what scrolls. */
export function useStayInPlace(list: RefObject<HTMLElement | null>, rows: readonly Said[]): void {
  const first = rows[0]?.id
  const before = useRef<{ id: string; top: number } | null>(null)
  useLayoutEffect(() => {
    const held = before.current
    if (held?.id === first) return
    const around = list.current?.parentElement
    const topOf = (at: number) => topIn(around, list.current?.children[at])
    const at = held === null ? -1 : rows.findIndex(({ id }) => id === held.id)
    if (held !== null && at > 0 && around) around.scrollTop += topOf(at) - held.top
    before.current = first === undefined ? null : { id: first, top: topOf(0) }
  }, [first, list, rows])
}

/** How far a row is below the top of all that scrolls, which is the same wherever the user has scrolled to. */
function topIn(around: HTMLElement | null | undefined, row: Element | undefined): number {
  if (!row || !around) return 0
  return row.getBoundingClientRect().top - around.getBoundingClientRect().top + around.scrollTop
}
