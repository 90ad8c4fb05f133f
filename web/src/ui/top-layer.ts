// In charge of what lies over everything else: dialogs of the browser itself, over which nothing outside of them is seen or
// can be reached. Messages are shown in the uppermost one.
import { useEffect, useRef } from 'react'
import { createStore, useStore } from '../lib/store.ts'

const open = createStore<readonly HTMLElement[]>([])

/** The uppermost dialog that is open; null: there is none. */
export const useTopLayer = (): HTMLElement | null => useStore(open, (dialogs) => dialogs.at(-1) ?? null)

/** A dialog that is over everything else as long as it is shown. It gets the focus, or what in it asks for it. */
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
