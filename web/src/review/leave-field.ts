// In charge of leaving a text field of the viewer with Escape: the viewer stays open, and its keys work again at once.
import type { KeyboardEvent } from 'react'

export const backToViewer = (from: Element): void => from.closest('dialog')?.focus()

/** Returns whether the key was Escape. */
export function leaveField(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false
  event.preventDefault()
  backToViewer(event.currentTarget)
  return true
}
