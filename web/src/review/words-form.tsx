// In charge of a small form with a text field beside a picture: the field has the focus, and the user can send or cancel.
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { isCommand } from '../ui/keys.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { OvertakenNote } from '../ui/overtaken-note.tsx'
import { backToField, backToViewer, leaveField } from './leave-field.ts'
import type { KeptText } from './use-kept-text.ts'

type Props = {
  label: string
  button: string
  kept: KeptText
  /** Sends the text and returns whether that succeeded. */
  post: (text: string) => Promise<boolean>
  close: () => void
  /** True if the user can send the form without any text. */
  mayBeEmpty?: boolean
  maxLength?: number
  /** True if the text cannot be sent now; `children` say why. */
  isBlocked?: boolean
  /** What is said between the field and the buttons. */
  children?: ReactNode
}

export function WordsForm({ label, button, kept, post, close, children, ...rules }: Props) {
  const { mayBeEmpty = false, maxLength = 5000, isBlocked = false } = rules
  const { text, write, forget, isSending, isOvertaken } = kept
  const field = useRef<HTMLTextAreaElement>(null)
  const isReady = !isSending && !isBlocked && (mayBeEmpty || text.trim() !== '')
  const send = async (form: Element) => {
    backToViewer(form)
    if (await kept.send(post)) close()
    // The form stays if nothing was sent.
    else backToField(field.current)
  }
  const submit = (form: Element) => {
    // While the note is shown, the user first has to choose one of the texts.
    if (isReady && !isOvertaken) void send(form)
  }
  const useMine = (form: Element) => {
    kept.rebase()
    void send(form)
  }
  const leave = () => {
    forget()
    close()
  }
  const onKey = (event: KeyboardEvent) => {
    // Letters that are typed in this form must not trigger the keys of the viewer.
    event.stopPropagation()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && isCommand(event)) submit(event.currentTarget)
    else if (leaveField(event)) leave()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        submit(event.currentTarget)
      }}
      onKeyDown={onKey}
    >
      <textarea
        {...leaveEscape}
        ref={field}
        // biome-ignore lint/a11y/noAutofocus: the user opened this form to type in it.
        autoFocus
        aria-label={label}
        rows={2}
        maxLength={maxLength}
        value={text}
        onChange={({ currentTarget }) => write(currentTarget.value)}
      />
      {isOvertaken ? (
        <OvertakenNote
          theirs={kept.saved}
          useMine={() => field.current && useMine(field.current)}
          takeTheirs={() => {
            if (field.current) backToViewer(field.current)
            leave()
          }}
          inViewer
        />
      ) : null}
      {children}
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
