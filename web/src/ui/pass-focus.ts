// In charge of the focus of controls that disappear by themselves: the dialog or page around them gets it, so that its keys go on
// working. Otherwise nothing would have the focus.
import { type RefObject, useLayoutEffect } from 'react'

/** Passes on the focus of the element `place` and of what is in it when the element disappears, and whenever `change` changes. */
export function usePassedFocus(place: RefObject<HTMLElement | null>, change?: unknown): void {
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element?.contains(document.activeElement))
        element.closest<HTMLElement>('dialog, main')?.focus({ preventScroll: true })
    }
    // `change` is not read here: that it changes is what counts.
  }, [place, change])
}
