// In charge of a comment that was typed and not sent before the task was deleted, or before the user might only read: it stays in
// sight, to be copied, until the user discards it. Once the task or the role is back, it is back in its field.
import { Button, Textarea } from '@mantine/core'
import { useLayoutEffect, useRef } from 'react'
import { useKeptText } from '../review/use-kept-text.ts'

/** `draft`: the key under which the text is kept. */
export function UnsentComment({ draft }: { draft: string }) {
  const { text, forget } = useKeptText(draft)
  const field = useRef<HTMLTextAreaElement>(null)
  // The field in which the user was typing has disappeared, and the focus with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) field.current?.focus()
  }, [])
  if (text.trim() === '') return null
  return (
    <div className="write">
      <Textarea
        ref={field}
        label="Your comment, not sent"
        description="It can be sent once the task is restored, if it is deleted, and once you may write."
        readOnly
        autosize
        maxRows={10}
        value={text}
      />
      <Button variant="default" onClick={forget}>
        Discard
      </Button>
    </div>
  )
}
