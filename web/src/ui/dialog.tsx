// In charge of dialogs that exist only while they are open. When such a dialog closes, the element that opened it gets the focus back.
// Mantine's own `returnFocus` works only for dialogs that stay in the page while they are closed.
import { Modal, type ModalProps } from '@mantine/core'
import { useEffect, useState } from 'react'

export function Dialog(props: Omit<ModalProps, 'opened' | 'returnFocus'>) {
  // Read while the dialog is rendered for the first time, because the dialog takes the focus soon after.
  const [opener] = useState(() => openerOf(document.activeElement))
  useEffect(
    () => () => {
      // The dialog is gone by now. If it had the focus, nothing has it; otherwise the focus was moved elsewhere on purpose.
      if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
    },
    [opener],
  )
  return <Modal opened returnFocus={false} {...props} />
}

/** Returns the element that is to get the focus back. An entry of a menu disappears with its menu, so it is the menu's button. */
function openerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest('[role="menu"]')
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : active
  return opener instanceof HTMLElement ? opener : null
}
