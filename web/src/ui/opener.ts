// In charge of the element that opened a dialog: it gets the focus back when the dialog is gone.

/** Returns the element that is to get the focus back. An entry of a menu disappears with its menu, so it is the menu's button. */
export function openerOf(active: Element | null): HTMLElement | null {
  const menu = active?.closest('[role="menu"]')
  const opener = menu ? document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`) : active
  return opener instanceof HTMLElement ? opener : null
}

/** To be called when the dialog is gone: if it had the focus, nothing has it; otherwise the focus was moved elsewhere on purpose. */
export function giveFocusBack(opener: HTMLElement | null): void {
  if (document.activeElement === document.body) opener?.focus({ preventScroll: true })
}
