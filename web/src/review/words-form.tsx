// In charge of a small form with a text field beside a picture: the field has the focus, and the user can send or cancel.
import type { KeyboardEvent } from 'react'
import { leaveEscape } from '../ui/leave-escape.ts'
import { backToViewer, leaveField } from './leave-field.ts'

type Props = {
  label: string
  button: string
  text: string
  setText: (text: string) => void
  send: () => void
  leave: () => void
  /** True if the user can send the form without any text. */
  mayBeEmpty?: boolean
  maxLength?: number
}

export function WordsForm({ label, button, text, setText, send, leave, mayBeEmpty = false, maxLength = 5000 }: Props) {
  const isReady = mayBeEmpty || text.trim() !== ''
  const onKey = (event: KeyboardEvent) => {
    // Letters that are typed in this form must not trigger the keys of the viewer.
    event.stopPropagation()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isReady) {
      backToViewer(event.currentTarget)
      send()
    } else if (leaveField(event)) leave()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        backToViewer(event.currentTarget)
        send()
      }}
      onKeyDown={onKey}
    >
      <textarea
        {...leaveEscape}
        // biome-ignore lint/a11y/noAutofocus: the user opened this form to type in it.
        autoFocus
        aria-label={label}
        rows={2}
        maxLength={maxLength}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <div className="review-row">
        <button {...leaveEscape} type="submit" className="plain" disabled={!isReady}>
          {button}
        </button>
        <button {...leaveEscape} type="button" className="plain" onClick={leave}>
          Cancel
        </button>
      </div>
    </form>
  )
}
