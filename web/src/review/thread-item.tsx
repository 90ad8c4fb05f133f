// In charge of showing one comment on a picture, together with the replies to it.
import { mentionedIn } from '@atelier/contract/mentions.ts'
import { useQuery } from '@tanstack/react-query'
import { memo } from 'react'
import { call } from '../lib/api.ts'
import { peopleQuery } from '../lib/queries.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { MentionChoice } from '../ui/mention-choice.tsx'
import { tellError } from '../ui/toasts.tsx'
import { useTold } from '../ui/told.tsx'
import { answerKey } from './draft-keys.ts'
import { backToField, backToViewer, leaveField } from './leave-field.ts'
import { timeWords } from './marks.ts'
import type { Version } from './queries.ts'
import { TakeLine } from './take-line.tsx'
import { useKeptText } from './use-kept-text.ts'
import type { Reviewing, Thread } from './use-review.ts'
import { Words } from './words.tsx'

type Props = { thread: Thread; review: Reviewing; look: (version: Version) => void }

/** There can be hundreds of threads, so a thread that is not chosen is rendered again only if what it shows has changed. */
export const ThreadItem = memo(Item, (before, after) => {
  const [was, is] = [before.review, after.review]
  const isChosen = was.chosen === before.thread.id || is.chosen === after.thread.id
  if (isChosen || before.thread !== after.thread || was.edited !== is.edited) return false
  return was.versions === is.versions && was.version === is.version && was.canWrite === is.canWrite
})

function Item({ thread, review, look }: Props) {
  const { chosen, choose, version, canWrite, resolve } = review
  const isChosen = chosen === thread.id
  const { resolved } = thread
  return (
    <li id={`said-${thread.id}`} data-chosen={isChosen || undefined} data-resolved={resolved ? true : undefined}>
      <Words said={thread} number={thread.number} isOpen={isChosen} review={review} />
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
          onClick={() => (isChosen ? review.pressAgain(thread) : choose(thread.id))}
        >
          {thread.from_seconds === null ? 'Show' : `At ${timeWords(thread.from_seconds)}`}
        </button>
        {canWrite ? (
          <button {...leaveEscape} type="button" className="plain" onClick={() => resolve(thread)}>
            {resolved ? 'Reopen' : 'Resolve'}
          </button>
        ) : null}
      </div>
      <TakeLine {...{ thread, review, look }} />
      {thread.answers.length > 0 ? (
        <ul className="review-answers" aria-label={`Answers to comment ${thread.number}`}>
          {thread.answers.map((answer) => (
            <li key={answer.id}>
              <Words said={answer} isOpen={isChosen} review={review} />
            </li>
          ))}
        </ul>
      ) : null}
      {isChosen && canWrite ? <Answer thread={thread} review={review} /> : null}
    </li>
  )
}

function Answer({ thread, review }: { thread: Thread; review: Reviewing }) {
  const people = useQuery(peopleQuery).data ?? []
  const kept = useKeptText(answerKey(thread.creative_id, thread.id))
  const [told, tell] = useTold()
  const isReady = kept.text.trim() !== '' && !kept.isSending
  const post = (text: string) =>
    call('createReviewComment', {
      params: { creative_id: thread.creative_id },
      body: { text, thread_id: thread.id, mentions: mentionedIn(text, people) },
    }).then(
      () => {
        tell('Answer sent')
        review.refresh()
        return true
      },
      (error: unknown) => {
        tellError(error, 'Not sent')
        return false
      },
    )
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady) return
        // The pressed button is off while the answer is sent and would lose the focus, and with it the viewer its keys. Whoever sends
        // by Enter in the field stays there.
        if (document.activeElement !== review.answer.current) backToViewer(event.currentTarget)
        const field = review.answer.current
        void kept.send(post).then((isSent) => isSent || backToField(field))
      }}
    >
      <input
        {...leaveEscape}
        ref={review.answer}
        aria-label={`Answer comment ${thread.number}`}
        placeholder={thread.visibility === 'guests' ? 'Answer; guests see it' : 'Answer'}
        maxLength={5000}
        value={kept.text}
        onKeyDown={(event) => {
          event.stopPropagation()
          leaveField(event)
        }}
        onChange={({ currentTarget }) => kept.write(currentTarget.value)}
      />
      <MentionChoice field={review.answer} text={kept.text} setText={kept.write} />
      <button {...leaveEscape} type="submit" className="plain" disabled={!isReady}>
        Answer
      </button>
      {told}
    </form>
  )
}
