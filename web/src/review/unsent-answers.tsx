// In charge of answers that were typed and not sent before the comment that they answer was deleted: their text stays in sight, and
// the user can make it a comment of its own.
import { leaveEscape } from '../ui/leave-escape.ts'
import { answerKey, commentKey } from './draft-keys.ts'
import { backToViewer } from './leave-field.ts'
import { useKeptText, useKeptUnder } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'

export function UnsentAnswers({ review }: { review: Reviewing }) {
  const { id, threads, isKnown } = review
  const answered = useKeptUnder(answerKey(id, ''))
  if (!isKnown) return null
  const orphans = answered.filter((threadId) => !threads.some((thread) => thread.id === threadId))
  return orphans.map((threadId) => <UnsentAnswer key={threadId} threadId={threadId} review={review} />)
}

function UnsentAnswer({ threadId, review }: { threadId: string; review: Reviewing }) {
  const { id, canWrite, current, field } = review
  const kept = useKeptText(answerKey(id, threadId))
  const comment = useKeptText(commentKey(id))
  return (
    <div role="alert">
      <p className="hint">The comment that you were answering was deleted. Your answer is not sent:</p>
      <p className="review-text">{kept.text}</p>
      <div className="review-row">
        {canWrite && current ? (
          <button
            {...leaveEscape}
            type="button"
            className="plain"
            onClick={() => {
              comment.write(comment.text.trim() === '' ? kept.text : `${comment.text}\n${kept.text}`)
              // The pressed button disappears, so the focus has to leave it first.
              field.current?.focus()
              kept.forget()
            }}
          >
            Make it a comment
          </button>
        ) : null}
        <button
          {...leaveEscape}
          type="button"
          className="plain"
          onClick={({ currentTarget }) => {
            backToViewer(currentTarget)
            kept.forget()
          }}
        >
          Discard
        </button>
      </div>
    </div>
  )
}
