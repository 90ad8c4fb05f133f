// In charge of the focus in lists whose rows disappear, for example because they were deleted: the row that is then in the place of
// the deleted one gets the focus.
import { type FocusEvent, useLayoutEffect, useRef } from 'react'

const controls = 'a[href], button:enabled, textarea, input:enabled'

/** `rows` selects the rows. `orElse` selects what gets the focus if no row with a control is left. */
type Options = { rows?: string; orElse?: string }

/**
 * Returns the props of the element around the rows, which has to stay while it has rows. The component that calls this has to render
 * again when the rows change.
 */
export function useRowsFocus<E extends HTMLElement>({ rows = 'tr, li', orElse = 'main' }: Options = {}) {
  const list = useRef<E>(null)
  /** The control that was focused last, and the place of its row. */
  const held = useRef<{ control: Element; at: number } | null>(null)
  useLayoutEffect(() => {
    if (held.current === null || held.current.control.isConnected) return
    const { at } = held.current
    held.current = null
    // The focus is somewhere else by now, for example in a dialog.
    if (document.activeElement !== document.body) return
    const left = [...(list.current?.querySelectorAll<HTMLElement>(rows) ?? [])]
    const next = [...left.slice(at), ...left.slice(0, at).toReversed()]
    const control = next.map(controlOf).find((one) => one !== null)
    ;(control ?? document.querySelector<HTMLElement>(orElse))?.focus()
  })
  const onFocus = ({ target, currentTarget }: FocusEvent<E>) => {
    const row = target.closest(rows)
    const at = row ? [...currentTarget.querySelectorAll(rows)].indexOf(row) : -1
    // Menus are children of the list for React, but are elsewhere in the page.
    if (at >= 0) held.current = { control: target, at }
  }
  return { ref: list, onFocus }
}

const controlOf = (row: HTMLElement): HTMLElement | null =>
  row.matches(controls) ? row : row.querySelector<HTMLElement>(controls)
