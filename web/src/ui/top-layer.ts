// In charge of modal dialogs in the browser's top layer. Such a dialog covers the page, and users can reach nothing outside the
// dialog; so messages must be shown inside the uppermost dialog.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { giveFocusBack, openerOf } from './opener.ts'

const open = createStore<readonly HTMLElement[]>([])

/** Returns the uppermost open dialog, or null if none is open. */
export const useTopLayer = (): HTMLElement | null => useStore(open, (dialogs) => dialogs.at(-1) ?? null)

/**
 * Returns a ref for a dialog, which opens above everything else. Its element with `data-autofocus` gets the focus, as in Mantine's
 * dialogs; React's `autoFocus` would come too early, because nothing in a closed dialog can have the focus. When the dialog is gone,
 * the element that opened it has the focus again: the browser sees to that only if a dialog is closed before it is removed.
 */
export function useTopDialog() {
  const ref = useRef<HTMLDialogElement>(null)
  const opener = useRef<HTMLElement | null>(null)
  // At once, so that a key that is pressed next is the dialog's.
  useLayoutEffect(() => {
    const dialog = ref.current
    if (!dialog || dialog.open) return
    opener.current = openerOf(document.activeElement)
    dialog.showModal()
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [])
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    open.set([...open.get(), dialog])
    // This happens after the dialog has left the page.
    return () => {
      open.set(open.get().filter((one) => one !== dialog))
      giveFocusBack(opener.current)
    }
  }, [])
  return ref
}
