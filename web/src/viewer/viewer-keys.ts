// In charge of the keys that are pressed in the viewer: each performs its action, and none reaches the page below the viewer.
import type { KeyboardEvent } from 'react'

/** The keys that go on as long as they are held down: they move the picture or lead from one to the next. Others act once. */
const maybeHeld = /^(Arrow.+|[-+=.,jk[\]])$/

/** By these keys, browsers seek in a film or sound that has the focus, and change its volume. */
const ofFilm = /^(Arrow.+|Home|End)$/

/** The action of each key, by the key's name. An arrow key with Shift has a name such as `Shift+ArrowUp`. */
export type ViewerKeys = Readonly<Record<string, () => void>>

type Pressed = Pick<
  KeyboardEvent,
  'key' | 'repeat' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'stopPropagation' | 'preventDefault'
>

/** `isInFilm`: whether a film or sound has the focus; it then keeps its own keys. */
export function onViewerKey(event: Pressed, keys: ViewerKeys, isInFilm: boolean): void {
  event.stopPropagation()
  if (isInFilm && ofFilm.test(event.key)) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const isArrow = event.key.startsWith('Arrow')
  const meaning = keys[event.shiftKey && isArrow ? `Shift+${event.key}` : event.key]
  if (!meaning) return
  event.preventDefault()
  if (!event.repeat || maybeHeld.test(event.key)) meaning()
}
