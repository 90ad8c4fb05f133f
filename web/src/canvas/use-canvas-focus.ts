// In charge of when the canvas gets the focus: if a control beside it disappears that had the focus, nothing would have it otherwise,
// and users of a keyboard or a screen reader would begin again at the top of the page.
import { type FocusEvent, useLayoutEffect, useRef } from 'react'
import { openerOf } from '../ui/opener.ts'

export const focusCanvas = (): void =>
  document.querySelector<HTMLElement>('.canvas .react-flow')?.focus({ preventScroll: true })

/** For the button of a short message, which disappears when it is pressed: does what the button does, and the canvas gets the focus. */
export const thenCanvas = (act: () => void) => (): void => {
  act()
  // The act may have moved the focus already. Undo has a key too, and then the focus is elsewhere.
  if (document.activeElement?.closest('.mantine-Notifications-root')) focusCanvas()
}

/** Modal dialogs give the focus back by themselves. */
const givesBack = '[aria-modal="true"], dialog'

/**
 * Returns the props of the element around the controls. The component that calls this has to render again when one of
 * them disappears. Whoever knows a better place than the canvas gives that the focus right away.
 */
export function useFocusToCanvas() {
  /** What had the focus last; for an entry of a menu, the button of the menu, which gets the focus back if it is still there. */
  const held = useRef<Element | null>(null)
  useLayoutEffect(() => {
    if (held.current === null || held.current.isConnected) return
    held.current = null
    // As a microtask, so that the handler of the event that has led to this is through, and had its say.
    queueMicrotask(() => {
      if (document.activeElement === document.body) focusCanvas()
    })
  })
  const onFocus = ({ target }: FocusEvent) => {
    if (!target.closest(givesBack)) held.current = openerOf(target)
  }
  return { onFocus }
}
