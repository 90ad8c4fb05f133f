// In charge of leaving a field of the viewer by Escape: the viewer stays, and its keys work at once.
import type { KeyboardEvent } from 'react'

export const backToViewer = (from: Element): void => from.closest('dialog')?.focus()

/** True where the key was Escape. */
export function leaveField(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape') return false
  event.preventDefault()
  backToViewer(event.currentTarget)
  return true
}
