// In charge of a small form with which a guest says something more: it opens with the focus in its field, keeps what is unsent, and
// can be sent or cancelled.
import { Button, Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { keptText, useKeptText } from '../review/use-kept-text.ts'
import { offIf } from '../ui/reason.tsx'
import { sendByKey } from './send-by-key.ts'

/**
 * Whether the form for the text that is kept under `draft` is open; it is from the start if text is kept. `place`: the element that
 * contains the form; `opener`: the button that opens it, which gets the focus when the form closes.
 */
export function useGuestForm(draft: string) {
  const [isOpen, setIsOpen] = useState(() => keptText(draft) !== undefined)
  const place = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const open = () => {
    flushSync(() => setIsOpen(true))
    // Below a large picture, the buttons of the form would be out of sight.
    place.current?.scrollIntoView({ block: 'nearest' })
  }
  const close = () => {
    const hadFocus = place.current?.querySelector('form')?.contains(document.activeElement)
    flushSync(() => setIsOpen(false))
    // The form took the focus with it. The guest may have gone on elsewhere while the text was being sent.
    if (hadFocus) opener.current?.focus()
  }
  return { place, opener, isOpen, open, close }
}

type Props = {
  label: string
  description?: string
  button: string
  /** The key under which unsent text is kept. */
  draft: string
  maxLength: number
  mayBeEmpty?: boolean
  /** Whether nothing can be sent now. */
  isBlocked?: boolean
  /** Sends the text and returns whether that succeeded. */
  send: (words: string) => Promise<boolean>
  close: () => void
}

export function GuestForm({ label, description, button, draft, maxLength, send, close, ...rules }: Props) {
  const { mayBeEmpty = false, isBlocked = false } = rules
  const kept = useKeptText(draft)
  const isReady = !kept.isSending && !isBlocked && (mayBeEmpty || kept.text.trim() !== '')
  return (
    <form
      onSubmit={async (event) => {
        event.preventDefault()
        if (isReady && (await kept.send(send))) close()
      }}
    >
      <Textarea
        label={label}
        description={description}
        autoFocus
        value={kept.text}
        maxLength={maxLength}
        autosize
        minRows={1}
        size="md"
        onKeyDown={sendByKey}
        onChange={({ currentTarget }) => kept.write(currentTarget.value)}
      />
      <div className="guest-acts">
        <Button type="submit" size="md" {...offIf(!isReady)}>
          {button}
        </Button>
        <Button
          variant="default"
          size="md"
          onClick={() => {
            kept.forget()
            close()
          }}
        >
          Cancel
        </Button>
      </div>
    </form>
  )
}
