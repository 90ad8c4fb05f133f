// In charge of telling whether a pressed key is for the page, and not for a text field, a dialog or another component.

/** Elements in which a key types text, or in which another component handles the keys. */
export const elsewhere =
  'input:not([type="checkbox"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"], [role="listbox"]'

/** Modal dialogs. While one is open, the page is covered, even if nothing in the dialog has the focus. */
const modal = '[aria-modal="true"], dialog[open]'

export const isForPage = (event: KeyboardEvent): boolean =>
  !event.defaultPrevented &&
  !(event.ctrlKey || event.metaKey || event.altKey) &&
  document.querySelector(modal) === null &&
  !(event.target instanceof Element && event.target.closest(elsewhere))
