// In charge of what was typed about a creative and not sent before the creative was deleted, or before the user might only read: it
// stays in sight, to be copied, until the user discards it. Once the creative or the role is back, it is back in its fields.
import { useEffect, useLayoutEffect, useRef } from 'react'
import { forgetDraft } from '../lib/kept-drafts.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { answerKey, commentKey, markKey, noteKey, textKey } from './draft-keys.ts'
import { backToViewer, leaveField } from './leave-field.ts'
import { keptText, useKeptText, useKeptUnder } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'

export function UnsentWords({ review: { id, threads, absence } }: { review: Reviewing }) {
  const place = useRef<HTMLDivElement>(null)
  const answered = useKeptUnder(answerKey(id, ''))
  // A field or button that had the focus has disappeared with it, and the keys of the viewer would do nothing.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return
    const field = place.current?.querySelector('textarea')
    if (field) field.focus()
    else if (place.current) backToViewer(place.current)
  }, [])
  const numberOf = (threadId: string) => threads.find((thread) => thread.id === threadId)?.number ?? ''
  const why = absence === null ? ', since you may only read now' : ''
  return (
    <div ref={place} className="review-unsent">
      <UnsentText why={why} draft={commentKey(id)} mark={markKey(id)} what="Your comment" />
      <UnsentText why={why} draft={noteKey(id)} what="Why you want changes" />
      {answered.map((threadId) => (
        <UnsentText
          key={threadId}
          why={why}
          draft={answerKey(id, threadId)}
          what={`Your answer to comment ${numberOf(threadId)}`}
        />
      ))}
      {threads.map((thread) => (
        <UnsentText
          key={thread.id}
          why={why}
          draft={textKey(thread.id)}
          what={`Your change of comment ${thread.number}`}
        />
      ))}
      {threads.flatMap(({ answers, number }) =>
        answers.map((answer) => (
          <UnsentText
            key={answer.id}
            why={why}
            draft={textKey(answer.id)}
            what={`Your change of an answer to comment ${number}`}
          />
        )),
      )}
    </div>
  )
}

/** `draft`, `mark`: the keys under which the text is kept, and its mark if it can have one. `what`: what the text was to become. `why`: why it cannot be sent, if nothing else says so. */
function UnsentText({ draft, mark, what, why }: { draft: string; mark?: string; what: string; why: string }) {
  const { text, forget } = useKeptText(draft)
  const isBlank = text.trim() === ''
  // A draft without text is nothing to keep: the browser would ask about it before it closes the page.
  useEffect(() => {
    if (isBlank && keptText(draft) !== undefined) forget()
  })
  if (isBlank) return null
  return (
    <div>
      <label>
        <span className="hint">
          {what.trim()}, not sent{why}:
        </span>
        <textarea
          {...leaveEscape}
          readOnly
          rows={3}
          value={text}
          onKeyDown={(event) => {
            event.stopPropagation()
            leaveField(event)
          }}
        />
      </label>
      <div className="review-row">
        <button
          {...leaveEscape}
          type="button"
          className="plain"
          aria-label={`Discard: ${what.trim()}`}
          onClick={({ currentTarget }) => {
            backToViewer(currentTarget)
            forget()
            if (mark) forgetDraft(mark)
          }}
        >
          Discard
        </button>
      </div>
    </div>
  )
}
