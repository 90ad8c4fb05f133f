// In charge of the text of one comment or reply on a creative. Its author can edit it; its author and admins can delete it.

import { mentionedIn } from '@atelier/contract/mentions.ts'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { authorName } from '../lib/people.ts'
import { peopleQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { usePassedFocus } from '../ui/pass-focus.ts'
import { tellError } from '../ui/toasts.tsx'
import { useSecondStep } from '../ui/use-second-step.ts'
import { textKey } from './draft-keys.ts'
import type { Said } from './queries.ts'
import { useKeptText } from './use-kept-text.ts'
import type { Reviewing } from './use-review.ts'
import { WordsForm } from './words-form.tsx'

type Props = {
  said: Said
  /** The number of the thread; missing for a reply. */
  number?: number
  /** Whether the thread is chosen; only then are the buttons for editing and deleting shown. */
  isOpen: boolean
  review: Reviewing
}

export function Words({ said, number, isOpen, review }: Props) {
  const now = useNow()
  const { caller, canWrite, edited, edit, refresh } = review
  const isEdited = edited === said.id
  const isMine = said.by.user_id !== null && said.by.user_id === caller?.user?.id
  const mayDelete = isMine || (caller?.scopes.includes('admin') ?? false)
  const name = number === undefined ? 'the answer' : `comment ${number}`
  const remove = useMutation({
    mutationFn: () => call('deleteReviewComment', { params: { comment_id: said.id } }),
    onSuccess: refresh,
    onError: (error) => tellError(error, 'Not deleted'),
  })
  return (
    <>
      <p>
        <strong>
          {number === undefined ? '' : `${number}. `}
          {authorName(said.by)}
        </strong>{' '}
        <time dateTime={said.created_at}>
          {agoWords(said.created_at, now)}
          {said.updated_at === said.created_at || said.resolved ? '' : ', changed'}
        </time>
      </p>
      {isEdited ? <Edit said={said} name={name} review={review} /> : <p className="review-text">{said.text}</p>}
      {isOpen && canWrite && !isEdited && mayDelete ? (
        <div className="review-row">
          {isMine ? (
            <button
              {...leaveEscape}
              type="button"
              className="plain"
              aria-label={`Edit ${name}`}
              onClick={() => edit(said.id)}
            >
              Edit
            </button>
          ) : null}
          <DeleteButton name={name} remove={remove.mutate} isPending={remove.isPending || remove.isSuccess} />
        </div>
      ) : null}
    </>
  )
}

type DeleteProps = { name: string; remove: () => void; isPending: boolean }

/**
 * There is no way to restore a comment, so the button asks first. It is not disabled while the comment is being deleted, because it
 * would lose the focus; it passes the focus on to the viewer when it disappears with the comment.
 */
function DeleteButton({ name, remove, isPending }: DeleteProps) {
  const { isAsking, handlers } = useSecondStep(remove, isPending)
  const button = useRef<HTMLButtonElement>(null)
  usePassedFocus(button)
  const words = isPending ? 'Deleting' : isAsking ? 'Really delete' : 'Delete'
  return (
    <button
      {...leaveEscape}
      ref={button}
      type="button"
      className="plain"
      aria-label={`${words} ${name}`}
      aria-disabled={isPending}
      {...handlers}
    >
      {words}
      {isPending ? '…' : ''}
    </button>
  )
}

function Edit({ said, name, review }: Pick<Props, 'said' | 'review'> & { name: string }) {
  const people = useQuery(peopleQuery).data ?? []
  const kept = useKeptText(textKey(said.id), said.text)
  const post = (text: string) =>
    call('patchReviewComment', {
      params: { comment_id: said.id },
      body: { text, mentions: mentionedIn(text, people) },
    }).then(
      () => {
        review.refresh()
        return true
      },
      (error: unknown) => {
        tellError(error, 'Not changed')
        return false
      },
    )
  return <WordsForm label={`Change ${name}`} button="Save" {...{ kept, post }} close={() => review.edit(null)} />
}
