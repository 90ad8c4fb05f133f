// In charge of short messages about what just happened, with a way back where there is one.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { wordsOf } from '../lib/errors.ts'
import { uniqueName } from '../lib/unique.ts'

/** What went wrong, in the words of the service. */
export function tellError(error: unknown, title = 'That did not work'): void {
  notifications.show({ title, message: wordsOf(error), color: 'red', autoClose: 9_000 })
}

export function tell(message: string): void {
  notifications.show({ message, autoClose: 4_000 })
}

/** Long enough to notice a mistake, read, and reach the button. */
const undoMs = 12_000

export function tellUndoable(text: string, undo: () => void): void {
  const id = `undo-${uniqueName()}`
  const onClick = () => {
    notifications.hide(id)
    undo()
  }
  const message = (
    <span className="toast-row">
      <span className="toast-text">{text}</span>
      <Button size="compact-xs" variant="light" onClick={onClick}>
        Undo
      </Button>
    </span>
  )
  notifications.show({ id, message, autoClose: undoMs })
}
