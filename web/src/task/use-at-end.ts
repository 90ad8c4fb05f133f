// In charge of where a thread of comments stands that is higher than its place: at its end, where the newest comments are, until the
// user scrolls away from there.
import { type RefObject, useLayoutEffect, useRef } from 'react'

/** How far above the end, in pixels, still counts as there: scaled screens scroll to fractions of a pixel. */
const slack = 24

/** `scroller`: what scrolls; `list`: what it scrolls. Returns a function that scrolls to the end. */
export function useAtEnd(scroller: RefObject<HTMLElement | null>, list: RefObject<HTMLElement | null>): () => void {
  const isThere = useRef(true)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element || !list.current) return
    const look = () => {
      isThere.current = element.scrollHeight - element.scrollTop - element.clientHeight < slack
    }
    const follow = () => {
      if (isThere.current) element.scrollTop = element.scrollHeight
    }
    // A comment whose change is not saved yet is shown instead: the user has to see that it is there.
    const field = list.current.querySelector('textarea')
    isThere.current = field === null
    field?.scrollIntoView({ block: 'nearest' })
    follow()
    element.addEventListener('scroll', look)
    // Comments come, and the field below them grows.
    const sizes = new ResizeObserver(follow)
    sizes.observe(element)
    sizes.observe(list.current)
    return () => {
      element.removeEventListener('scroll', look)
      sizes.disconnect()
    }
  }, [scroller, list])
  return () => {
    isThere.current = true
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight
  }
}
