// In charge of modal dialogs in the browser's top layer. Such a dialog covers the page, and users can reach nothing outside the
// dialog; so messages must be shown inside the uppermost dialog.
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const open = createStore<readonly HTMLElement[]>([])

/** Returns the uppermost open dialog, or null if none is open. */
export const useTopLayer = (): HTMLElement | null => useStore(open, (dialogs) => dialogs.at(-1) ?? null)

/** Returns a ref for a dialog, which opens above everything else. The browser focuses the dialog or its `autofocus` element. */
export function useTopDialog() {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    dialog.showModal()
    open.set([...open.get(), dialog])
    return () => open.set(open.get().filter((one) => one !== dialog))
  }, [])
  return ref
}
