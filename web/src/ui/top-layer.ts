// In charge of the browser's top layer: a modal dialog in it covers everything else, and nothing outside of it can be seen or
// reached. Messages are shown in the uppermost one.
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const open = createStore<readonly HTMLElement[]>([])

/** The uppermost open dialog; null if none is open. */
export const useTopLayer = (): HTMLElement | null => useStore(open, (dialogs) => dialogs.at(-1) ?? null)

/** A dialog above everything else while it is shown. The focus goes to it, or to the element in it that wants the focus. */
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
