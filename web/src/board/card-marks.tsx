// In charge of the small marks and lines on a card: priority, automation, review, test, terms, deadline, progress and people.
import { deadlineOf, fullWords } from '../lib/dates.ts'
import type { Card } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Avatar } from '../ui/person.tsx'
import { AutomationMark } from './automation-mark.tsx'
import { Awaited } from './awaited.tsx'
import { useBoard } from './board-context.ts'

const priorityTones: Record<number, string> = { 1: 'danger', 2: 'warn' }
const testTones: Record<string, string> = { in_test: 'accent', tested: 'ok', paused: 'warn' }

/** The marks beside the number of the card: priority, automation, review (only in the check columns), and test status. */
export function CardMarks({ card }: { card: Card }) {
  const { schema } = useBoard()
  const tests = schema.filter_fields.find(({ name }) => name === 'test_status')?.values
  const test = tests?.find(({ value }) => value === card.test_status)
  return (
    <>
      {card.priority === null ? null : (
        <span
          className="mark"
          data-tone={priorityTones[card.priority]}
          data-hint={`Priority ${card.priority} of 5, 1 is the highest`}
        >
          P{card.priority}
        </span>
      )}
      <AutomationMark task={card} unlessDone />
      {isCheck(card) ? <Awaited taskId={card.id} /> : null}
      {card.test_status === 'not_tested' ? null : (
        <span className="mark" data-tone={testTones[card.test_status]}>
          {test?.label ?? card.test_status}
        </span>
      )}
    </>
  )
}

const isCheck = ({ status, deleted_at }: Card): boolean =>
  deleted_at === null && (status === 'tech_check' || status === 'creative_check')

/** The line with the product, the language and market, and the ad format of the task. */
export function CardTerms({ card }: { card: Card }) {
  const { products, schema } = useBoard()
  const label = (vocabulary: string, value: string | null) =>
    schema.vocabularies[vocabulary]?.find((entry) => entry.value === value)?.label ?? value
  const terms = [
    card.product_id === null ? null : products.get(card.product_id)?.name,
    [card.language, card.geo].filter(Boolean).join('/'),
    // The ad format comes last, because it is the longest term and the end of the line may be cut off.
    label('AdFormat', card.ad_format),
  ].filter((term) => term !== null && term !== undefined && term !== '')
  return terms.length > 0 ? <p className="card-terms">{terms.join(' · ')}</p> : null
}

const deadlineTones = { overdue: 'danger', soon: 'warn', later: undefined } as const

export function CardDeadline({ card }: { card: Card }) {
  const now = useNow()
  if (card.deadline_at === null) return null
  const finished = card.status === 'done' || card.status === 'archived'
  const { tone, words } = deadlineOf(card.deadline_at, finished, now)
  return (
    <span className="mark" data-tone={deadlineTones[tone]} data-hint={`Deadline ${fullWords(card.deadline_at)}`}>
      <Icon name="clock" size={11} />
      <span className="visually-hidden">Due </span>
      {words}
    </span>
  )
}

export function CreativesDone({ card }: { card: Card }) {
  const { creatives_done: done, creatives_total: total, comment_count: comments } = card
  return (
    <span className="card-counts">
      {total > 0 ? (
        <span
          className="card-progress"
          role="img"
          aria-label={`${done} of ${total} creatives done`}
          data-hint={`${done} of ${total} creatives done`}
        >
          <progress value={done} max={total} aria-hidden="true" />
          {done}/{total}
        </span>
      ) : null}
      {comments > 0 ? (
        <span className="card-comments">
          <Icon name="comment" size={12} />
          {comments}
          <span className="visually-hidden"> {comments === 1 ? 'comment' : 'comments'}</span>
        </span>
      ) : null}
    </span>
  )
}

export function CardPeople({ card }: { card: Card }) {
  const { people } = useBoard()
  const { assignee_id, task_owner_id } = card
  return (
    <span className="card-people">
      {assignee_id ? <Avatar id={assignee_id} person={people.get(assignee_id)} part="Assignee" /> : null}
      {task_owner_id && task_owner_id !== assignee_id ? (
        <Avatar id={task_owner_id} person={people.get(task_owner_id)} part="Task owner" />
      ) : null}
    </span>
  )
}
