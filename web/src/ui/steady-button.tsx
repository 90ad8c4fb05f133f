// In charge of the element of all buttons with words: it keeps the focus while it is disabled. A browser takes the focus from a
// `disabled` button, and whoever presses a button by the keyboard would have to search for their place again after each press.
import { type ComponentProps, useState } from 'react'

/** A focused button is not `disabled` but says so by `aria-disabled`, and ignores presses; it is disabled once it loses the focus. */
export function SteadyButton({
  disabled = false,
  type = 'button',
  onClick,
  onFocus,
  onBlur,
  ...others
}: ComponentProps<'button'>) {
  const [hasFocus, setHasFocus] = useState(false)
  return (
    <button
      {...others}
      type={type}
      disabled={disabled && !hasFocus}
      {...(disabled ? { 'aria-disabled': true } : {})}
      onFocus={(event) => {
        setHasFocus(true)
        onFocus?.(event)
      }}
      onBlur={(event) => {
        // If the window loses the focus, the button is still the active element, and has the focus again when the user is back.
        setHasFocus(document.activeElement === event.currentTarget)
        onBlur?.(event)
      }}
      onClick={(event) => {
        if (!disabled) return onClick?.(event)
        // Enter in a field of a form presses the form's button too, so this also keeps the form from being sent a second time.
        event.preventDefault()
        event.stopPropagation()
      }}
    />
  )
}
