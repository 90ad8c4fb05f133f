// In charge of leaving a text field in the viewer with Escape: the viewer stays open, and the viewer's keys work again at once.
import type { KeyboardEvent } from 'react'
import { isCommand } from '../ui/keys.ts'

export const backToViewer = (from: Element): void => from.closest('dialog')?.focus()

/** Returns whether the key is Escape; if so, the focus moves from the field to the viewer. */
export function leaveField(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || !isCommand(event)) return false
  event.preventDefault()
  backToViewer(event.currentTarget)
  return true
}

/**
 * Gives the focus back to a field whose text could not be sent, so that the user can go on typing at once. If the user has gone
 * somewhere else in the viewer meanwhile, the focus stays there.
 */
export function backToField(field: HTMLElement | null): void {
  if (document.activeElement === field?.closest('dialog')) field?.focus()
}
