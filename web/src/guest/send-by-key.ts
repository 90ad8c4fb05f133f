// In charge of the key that sends what a guest has written, which is that of the team.
import type { KeyboardEvent } from 'react'
import { isCommand } from '../ui/keys.ts'

/** Sends the form of a text with Ctrl+Enter or Cmd+Enter, as its button does. */
export function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isCommand(event))
    event.currentTarget.form?.requestSubmit()
}
