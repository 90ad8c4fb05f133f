// In charge of the focus in lists whose rows disappear, for example because they were deleted: the row that is then in the place of
// the deleted one gets the focus.
import { type FocusEvent, useLayoutEffect, useRef } from 'react'

const controls = 'a[href], button:enabled, textarea, input:enabled'

/**
 * Returns the props of the element around the rows (`tr` or `li`), which has to stay while it has rows. The component that calls
 * this has to render again when the rows change. If no row with a control is left, the page around the list gets the focus.
 */
export function useRowsFocus<E extends HTMLElement>() {
  const list = useRef<E>(null)
  /** The control that was focused last, and the place of its row. */
  const held = useRef<{ control: Element; at: number } | null>(null)
  useLayoutEffect(() => {
    if (held.current === null || held.current.control.isConnected) return
    const { at } = held.current
    held.current = null
    // The focus is somewhere else by now, for example in a dialog.
    if (document.activeElement !== document.body) return
    const rows = [...(list.current?.querySelectorAll('tr, li') ?? [])]
    const next = [...rows.slice(at), ...rows.slice(0, at).toReversed()]
    const control = next.map((row) => row.querySelector<HTMLElement>(controls)).find((one) => one !== null)
    ;(control ?? document.querySelector<HTMLElement>('main'))?.focus()
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<E>) => {
    const row = target.closest('tr, li')
    const at = row ? [...currentTarget.querySelectorAll('tr, li')].indexOf(row) : -1
    // Menus are children of the list for React, but are elsewhere in the page.
    if (at >= 0) held.current = { control: target, at }
  }
  return { ref: list, onFocus }
}
