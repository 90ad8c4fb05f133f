// In charge of one comment on a picture, with its answers.
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { tellError } from '../ui/toasts.tsx'
import { timeWords } from './marks.ts'
import type { Said, Version } from './queries.ts'
import { TakeLine } from './take-line.tsx'
import type { Reviewing, Thread } from './use-review.ts'

type Props = { thread: Thread; review: Reviewing; look: (version: Version) => void }

export function ThreadItem({ thread, review, look }: Props) {
  const { chosen, choose, version, canWrite, refresh } = review
  const isChosen = chosen === thread.id
  const { resolved } = thread
  const resolve = () =>
    call('patchReviewComment', { params: { comment_id: thread.id }, body: { resolved: resolved === null } }).then(
      refresh,
      (error: unknown) => tellError(error, 'Not changed'),
    )
  return (
    <li id={`said-${thread.id}`} data-chosen={isChosen || undefined} data-resolved={resolved ? true : undefined}>
      <Words said={thread} number={thread.number} />
      <p className="hint">
        {thread.version === version?.number ? '' : `Said of v${thread.version}. `}
        {resolved ? (resolved.version === null ? 'Resolved. ' : `Addressed in v${resolved.version}. `) : ''}
        {thread.visibility === 'guests' ? 'Guests see it.' : ''}
      </p>
      <div className="review-row">
        <button
          {...leaveEscape}
          type="button"
          className="plain"
          aria-pressed={isChosen}
          onClick={() => choose(isChosen ? null : thread.id)}
        >
          {thread.from_seconds === null ? 'Show' : `At ${timeWords(thread.from_seconds)}`}
        </button>
        {canWrite ? (
          <button {...leaveEscape} type="button" className="plain" onClick={() => void resolve()}>
            {resolved ? 'Reopen' : 'Resolve'}
          </button>
        ) : null}
      </div>
      <TakeLine {...{ thread, review, look }} />
      {thread.answers.length > 0 ? (
        <ul className="review-answers" aria-label={`Answers to comment ${thread.number}`}>
          {thread.answers.map((answer) => (
            <li key={answer.id}>
              <Words said={answer} />
            </li>
          ))}
        </ul>
      ) : null}
      {isChosen && canWrite ? <Answer thread={thread} review={review} /> : null}
    </li>
  )
}

function Words({ said, number }: { said: Said; number?: number }) {
  const now = useNow()
  return (
    <>
      <p>
        <strong>
          {number === undefined ? '' : `${number}. `}
          {said.by.name ?? 'An integration'}
        </strong>{' '}
        <time dateTime={said.created_at}>{agoWords(said.created_at, now)}</time>
      </p>
      <p className="review-text">{said.text}</p>
    </>
  )
}

function Answer({ thread, review }: { thread: Thread; review: Reviewing }) {
  const [text, setText] = useState('')
  const send = () =>
    call('createReviewComment', {
      params: { creative_id: thread.creative_id },
      body: { text, thread_id: thread.id },
    }).then(
      () => {
        setText('')
        review.refresh()
      },
      (error: unknown) => tellError(error, 'Not sent'),
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <input
        {...leaveEscape}
        aria-label={`Answer comment ${thread.number}`}
        placeholder="Answer"
        maxLength={5000}
        value={text}
        onKeyDown={(event) => event.stopPropagation()}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button {...leaveEscape} type="submit" className="plain" disabled={text.trim() === ''}>
        Answer
      </button>
    </form>
  )
}
