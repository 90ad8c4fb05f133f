// In charge of the Enter key in an open list of choices: it is for the list, and never submits the form around it.
import type { KeyboardEvent } from 'react'
import { isComposed } from './keys.ts'

/**
 * Mantine leaves Enter to the browser while no option is marked, for example because nothing fits what was typed. The browser would
 * submit the form, without the choice that was being made. The Enter that takes a suggestion of an input method is left alone.
 */
export function keepEnterInList(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || isComposed(event)) return
  if (event.currentTarget.getAttribute('aria-expanded') === 'true') event.preventDefault()
}
