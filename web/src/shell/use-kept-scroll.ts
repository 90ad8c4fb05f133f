// In charge of where a page stands in the window: another page begins at its top, and a page to which the user goes back is where it
// was left. The router's own restoration is not used, because it also copies the positions of panels and columns to the next page.
import { type ParsedLocation, useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect } from 'react'
import { entryOf } from '../ui/entry-of.ts'
import { scrollWhenLongEnough } from '../ui/scroll-when-long-enough.ts'

/** `main`: the element that scrolls. */
export function useKeptScroll(main: RefObject<HTMLElement | null>): void {
  const router = useRouter()
  useEffect(() => {
    /** For each entry of the browser's history, where its page stood when it was left. */
    const places = new Map<string, number>()
    let stopWaiting = () => {}
    const stops = [
      router.subscribe('onBeforeLoad', ({ fromLocation }) => {
        if (fromLocation && main.current) places.set(entryOf(fromLocation), main.current.scrollTop)
      }),
      router.subscribe('onRendered', ({ fromLocation, toLocation }) => {
        // A page whose search changes, such as a list with another filter, stays where it is.
        if (!main.current || !fromLocation || pageOf(fromLocation) === pageOf(toLocation)) return
        stopWaiting()
        stopWaiting = scrollWhenLongEnough(main.current, places.get(entryOf(toLocation)) ?? 0)
      }),
    ]
    return () => {
      stopWaiting()
      for (const stop of stops) stop()
    }
  }, [router, main])
}

/** The board stays where it is while a task is opened beside it. */
const pageOf = ({ pathname }: ParsedLocation): string => (pathname.startsWith('/tasks/') ? '/' : pathname)
