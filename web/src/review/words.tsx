// In charge of the text of one comment or reply on a creative. Its author can edit it; its author and admins can delete it.
import { mentionedIn } from '@atelier/contract/mentions.ts'
import { useQuery } from '@tanstack/react-query'
import { call } from '../lib/api.ts'
import { agoWords } from '../lib/dates.ts'
import { peopleQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { leaveEscape } from '../ui/leave-escape.ts'
import { tellError } from '../ui/toasts.tsx'
import { useSecondStep } from '../ui/use-second-step.ts'
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
  const remove = () =>
    call('deleteReviewComment', { params: { comment_id: said.id } }).then(refresh, (error: unknown) =>
      tellError(error, 'Not deleted'),
    )
  return (
    <>
      <p>
        <strong>
          {number === undefined ? '' : `${number}. `}
          {said.by.name ?? 'An integration'}
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
          <DeleteButton name={name} remove={() => void remove()} />
        </div>
      ) : null}
    </>
  )
}

/** There is no way to restore a comment, so the button asks first. */
function DeleteButton({ name, remove }: { name: string; remove: () => void }) {
  const { isAsking, handlers } = useSecondStep(remove)
  return (
    <button
      {...leaveEscape}
      type="button"
      className="plain"
      aria-label={isAsking ? `Really delete ${name}` : `Delete ${name}`}
      {...handlers}
    >
      {isAsking ? 'Really delete' : 'Delete'}
    </button>
  )
}

function Edit({ said, name, review }: Pick<Props, 'said' | 'review'> & { name: string }) {
  const people = useQuery(peopleQuery).data ?? []
  const kept = useKeptText(`${said.id} review text`, said.text)
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
