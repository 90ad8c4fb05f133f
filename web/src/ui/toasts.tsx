// In charge of short messages about what has just happened; if the user can undo it, the message has an Undo button.
import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { wordsOf } from '../lib/errors.ts'
import { uniqueName } from '../lib/unique.ts'

/** Shows what went wrong, in the words of the service. */
export function tellError(error: unknown, title = 'That did not work'): void {
  notifications.show({ title, message: wordsOf(error), color: 'red', autoClose: 9_000 })
}

/** Shows what a user must not miss, such as that an answer was not sent: it stays until the user closes it. */
export function tellUntilClosed({ title, message }: { title: string; message: string }): void {
  notifications.show({ title, message, color: 'yellow', autoClose: false })
}

export function tell(message: string): void {
  notifications.show({ message, autoClose: 4_000 })
}

type Action = { label: string; act: () => void }

/** Shows the progress of a slow action until `end` is called, with a button that stops the action if `stop` is given. */
export function tellProgress(text: string, stop?: Action): { step: (text: string) => void; end: () => void } {
  const id = `progress-${uniqueName()}`
  const shared = { id, loading: true, autoClose: false, withCloseButton: false } as const
  const messageOf = (text: string) => (stop ? withButton(text, stop) : text)
  notifications.show({ ...shared, message: messageOf(text) })
  return {
    step: (text) => notifications.update({ ...shared, message: messageOf(text) }),
    end: () => notifications.hide(id),
  }
}

/** How long a message with a button stays: long enough to notice a mistake, read the message and reach the button. */
const offerMs = 12_000

/** What the key `z` undoes: the last action that can be undone. Null if there is none or its message is no longer shown. */
let latest: (() => void) | null = null

/** Shows a message with an Undo button. If `kind` is given, as for frequent moves, it replaces the last message of this kind. */
export function tellUndoable(text: string, undo: () => void, kind?: string): void {
  latest = tellOffer(text, { label: 'Undo', act: undo }, kind)
}

export const undoLatest = (): void => latest?.()

const lastOfKind = new Map<string, string>()

/** By the kind of each message that offers to undo a deletion: the ids of the records that are still deleted. */
const deletions = new Map<string, Set<string>>()

/** Shows a message that records were deleted. Its Undo restores those that nothing else has restored by then. */
export function tellDeleted(text: string, ids: readonly string[], restore: (left: ReadonlySet<string>) => void): void {
  const kind = `deleted ${ids.join(' ')}`
  const left = new Set(ids)
  tellUndoable(text, () => restore(left), kind)
  deletions.set(kind, left)
}

/** To be called when a record is back: no message offers any more to restore it. */
export function forgetDeleted(id: string): void {
  for (const [kind, left] of deletions) {
    if (left.delete(id) && left.size === 0) notifications.hide(lastOfKind.get(kind) ?? '')
  }
}

/** Shows a message with a button for an action; returns a function that does the same as the button. */
export function tellOffer(text: string, { label, act }: Action, kind?: string): () => void {
  const id = `offer-${uniqueName()}`
  // The button can still be pressed while its message fades out, and must not act again.
  let isAccepted = false
  const accept = () => {
    if (isAccepted) return
    isAccepted = true
    notifications.hide(id)
    act()
  }
  const message = withButton(text, { label, act: accept })
  if (kind !== undefined) {
    notifications.hide(lastOfKind.get(kind) ?? '')
    lastOfKind.set(kind, id)
  }
  const onClose = () => {
    if (latest === accept) latest = null
    if (kind === undefined || lastOfKind.get(kind) !== id) return
    lastOfKind.delete(kind)
    deletions.delete(kind)
  }
  // Mantine keeps a message open under the pointer, but not around the focus: a keyboard user would lose the button.
  const closeAfter = (autoClose: number | false) => notifications.update({ id, message, autoClose })
  const stay = { onFocusCapture: () => closeAfter(false), onBlurCapture: () => closeAfter(offerMs) }
  notifications.show({ id, message, autoClose: offerMs, onClose, ...stay })
  return accept
}

const withButton = (text: string, { label, act }: Action) => (
  <span className="toast-row">
    <span className="toast-text">{text}</span>
    <Button size="compact-xs" variant="light" onClick={act}>
      {label}
    </Button>
  </span>
)
