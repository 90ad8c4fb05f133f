// In charge of whether the command palette is open, and of keeping what the user types while the palette's script is loading.
import { createStore, useStore } from '../lib/store.ts'

type Opened = { typed: string; from: HTMLElement | null }
const opened = createStore<Opened | null>(null)

/** Opens the palette, and remembers which element has the focus, so that the palette can give the focus back when it closes. */
export const openCommands = (): void => {
  const { activeElement } = document
  opened.set({ typed: '', from: activeElement instanceof HTMLElement ? activeElement : null })
}
export const closeCommands = (): void => opened.set(null)
export const areCommandsOpen = (): boolean => opened.get() !== null
export const useCommands = (): Opened | null => useStore(opened, (value) => value)

export function typeAhead(key: string): void {
  const now = opened.get()
  if (!now) return
  if (key === 'Backspace') opened.set({ ...now, typed: now.typed.slice(0, -1) })
  else opened.set({ ...now, typed: now.typed + key })
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)
export const commandKeyWords = isMac ? '⌘K' : 'Ctrl K'
export const isCommandKey = ({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && (isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey) && !altKey && !shiftKey
