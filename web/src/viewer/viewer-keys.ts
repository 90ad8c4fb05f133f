// In charge of the keys of the viewer: it stops them, so that the page below does not receive them.
import type { KeyboardEvent } from 'react'

/** Actions by the name of the key; an arrow key with Shift is written like `Shift+ArrowUp`. */
export type ViewerKeys = Readonly<Record<string, () => void>>

export function onViewerKey(event: KeyboardEvent, keys: ViewerKeys): void {
  event.stopPropagation()
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isArrow = event.key.startsWith('Arrow')
  const meaning = keys[event.shiftKey && isArrow ? `Shift+${event.key}` : event.key]
  if (!meaning) return
  event.preventDefault()
  meaning()
}
