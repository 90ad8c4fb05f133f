// In charge of the keys of the viewer: what lies under it has keys of its own, and hears none of these.
import type { KeyboardEvent } from 'react'

/** `Shift+ArrowUp` for arrows with Shift; every other key by its name. */
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
