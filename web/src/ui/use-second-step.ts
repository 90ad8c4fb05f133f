// In charge of buttons that act only when they are pressed a second time, for actions that cannot be undone.
import { type KeyboardEvent, type MouseEvent, useState } from 'react'

/**
 * Returns whether the button is to ask (“Really delete”), and its handlers. The button stays the same element while it asks, so that
 * it keeps the focus; it stops asking when it loses the focus. `isPending`: the action is under way, and presses are ignored.
 */
export function useSecondStep(act: () => void, isPending = false) {
  const [isAsking, setIsAsking] = useState(false)
  const onClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // `detail` counts clicks that follow each other quickly: the second click of a double click must not count as the answer.
    if (isPending || (isAsking && detail > 1)) return
    // Safari does not focus buttons that are clicked, and without the focus there would be no `blur` either.
    currentTarget.focus()
    setIsAsking(!isAsking)
    if (isAsking) act()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    // While Enter is held down, the browser clicks the button again and again, which must not count as the answer either.
    if (event.key === 'Enter' && event.repeat) event.preventDefault()
  }
  return { isAsking, handlers: { onClick, onKeyDown, onBlur: () => setIsAsking(false) } }
}
