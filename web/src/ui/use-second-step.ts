// In charge of buttons that act only when they are pressed a second time, for actions that cannot be undone.
import { type MouseEvent, useState } from 'react'

/**
 * Returns whether the button is to ask (“Really delete”), and its handlers. The button stays the same element while it asks, so that
 * it keeps the focus; it stops asking when it loses the focus.
 */
export function useSecondStep(act: () => void) {
  const [isAsking, setIsAsking] = useState(false)
  const onClick = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>) => {
    // `detail` counts clicks that follow each other quickly: the second click of a double click must not count as the answer.
    if (isAsking && detail > 1) return
    // Safari does not focus buttons that are clicked, and without the focus there would be no `blur` either.
    currentTarget.focus()
    setIsAsking(!isAsking)
    if (isAsking) act()
  }
  return { isAsking, handlers: { onClick, onBlur: () => setIsAsking(false) } }
}
