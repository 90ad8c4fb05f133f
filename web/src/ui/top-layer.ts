// In charge of modal dialogs in the browser's top layer. Such a dialog covers the page, and users can reach nothing outside the
// dialog; so messages must be shown inside the uppermost dialog.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'
import { uniqueName } from '../lib/unique.ts'
import { giveFocusBack, openerOf } from './opener.ts'

/** The open dialogs, from the lowest to the uppermost. Each has an id. */
const open = createStore<readonly HTMLDialogElement[]>([])
/** The dialogs that stay above those that open after them. */
const staying = new WeakSet<HTMLDialogElement>()

/** Returns the uppermost open dialog, or null if none is open. */
export const useTopLayer = (): HTMLDialogElement | null => useStore(open, (dialogs) => dialogs.at(-1) ?? null)

/**
 * Returns a ref for a dialog, which opens above everything else. Its element with `data-autofocus` gets the focus, as in Mantine's
 * dialogs; React's `autoFocus` would come too early, because nothing in a closed dialog can have the focus. When the dialog is gone,
 * the element that opened it has the focus again: the browser sees to that only if a dialog is closed before it is removed.
 * `stays`: whether it is also above dialogs that open later.
 */
export function useTopDialog({ stays = false }: { stays?: boolean } = {}) {
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
    dialog.id ||= uniqueName()
    if (stays) staying.add(dialog)
    add(dialog)
    // This happens after the dialog has left the page.
    return () => {
      open.set(open.get().filter((one) => one !== dialog))
      giveFocusBack(opener.current)
    }
  }, [stays])
  return ref
}

function add(dialog: HTMLDialogElement): void {
  const before = open.get()
  const top = before.at(-1)
  if (top === undefined || !staying.has(top)) {
    open.set([...before, dialog])
    return
  }
  open.set([...before.slice(0, -1), dialog, top])
  // The browser puts a dialog above the others when it is opened.
  top.close()
  top.showModal()
}
