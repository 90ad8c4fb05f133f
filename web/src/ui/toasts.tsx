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

/** How far something is that takes a while; `end` takes the message away. */
export function tellProgress(text: string): { step: (text: string) => void; end: () => void } {
  const id = `progress-${uniqueName()}`
  const shared = { id, loading: true, autoClose: false, withCloseButton: false } as const
  notifications.show({ ...shared, message: text })
  return {
    step: (message) => notifications.update({ ...shared, message }),
    end: () => notifications.hide(id),
  }
}

/** Long enough to notice a mistake, read, and reach the button. */
const offerMs = 12_000

export const tellUndoable = (text: string, undo: () => void): void => tellOffer(text, { label: 'Undo', act: undo })

/** A message with something that can be done about it. */
export function tellOffer(text: string, { label, act }: { label: string; act: () => void }): void {
  const id = `offer-${uniqueName()}`
  const onClick = () => {
    notifications.hide(id)
    act()
  }
  const message = (
    <span className="toast-row">
      <span className="toast-text">{text}</span>
      <Button size="compact-xs" variant="light" onClick={onClick}>
        {label}
      </Button>
    </span>
  )
  notifications.show({ id, message, autoClose: offerMs })
}
