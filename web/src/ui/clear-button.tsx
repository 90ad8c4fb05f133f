// In charge of the buttons that empty a choice: keyboards and screen readers reach them too. Mantine hides them from both, which then
// have no way to empty a choice.
import { InputWrapperContext } from '@mantine/core'
import { type ComponentProps, use, useId } from 'react'

/** Takes the place of Mantine's element. Without a label of its own, it is called “Clear” and what the field is called. */
export function ClearButton({
  tabIndex: _tabIndex,
  'aria-hidden': _isHidden,
  'aria-label': label,
  onClick,
  ...others
}: ComponentProps<'button'>) {
  const id = useId()
  const field = use(InputWrapperContext)
  const name = label === undefined && field?.labelId ? { 'aria-labelledby': `${id} ${field.labelId}` } : {}
  return (
    <button
      id={id}
      {...others}
      {...name}
      type="button"
      aria-label={label ?? 'Clear'}
      onClick={(event) => {
        // The button disappears with the choice, so the field gets its focus. A press of the mouse leaves the focus where it is.
        if (event.currentTarget === document.activeElement && field?.inputId)
          document.getElementById(field.inputId)?.focus()
        onClick?.(event)
      }}
    />
  )
}
