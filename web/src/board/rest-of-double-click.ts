// In charge of the second click of a double click on a button that is gone after the first: it must not reach what is behind the button.

/** What the second click of a double click could do: open a link, or pick up a card. */
const kinds = ['mousedown', 'mouseup', 'click'] as const

/** Ends the last call; so that at most one looks at clicks at a time. */
let stop = () => {}

/**
 * To be called by a click: further clicks of the same double click have no effect, on whatever they are. `detail`: the `detail` of
 * the click, which counts the clicks at one place; 0 if the button was pressed by the keyboard.
 */
export function restOfDoubleClick(detail: number): void {
  stop()
  if (detail === 0) return
  const ending = new AbortController()
  stop = () => ending.abort()
  const look = (event: MouseEvent) => {
    // A click that begins anew, or a press of the keyboard, ends this.
    if (event.detail <= 1) return ending.abort()
    event.preventDefault()
    event.stopPropagation()
  }
  // On the window and before all other listeners, also those that listen before the elements get the event.
  for (const kind of kinds) addEventListener(kind, look, { capture: true, signal: ending.signal })
}
