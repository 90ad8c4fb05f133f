// In charge of the reviewers of a task: who they are, who has not decided yet, and the column to which acceptance moves the task.
import { taskStatuses } from '@atelier/contract/enums.ts'
import { Select } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useBoard } from '../board/board-context.ts'
import { call } from '../lib/api.ts'
import { MultiChoice } from '../ui/choice.tsx'
import { useChoices } from '../ui/use-choices.ts'
import { type Reviewers as Asked, reviewersQuery, taskReviewQuery } from './queries.ts'
import { reviewerChoices, reviewerName } from './reviewer-choices.ts'
import { isTaskStatus } from './statuses.ts'
import './review.css'

export function Reviewers({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const { people, columns } = useBoard()
  const saved = useQuery(reviewersQuery(taskId)).data
  const reviews = useQuery(taskReviewQuery(taskId)).data ?? []
  const client = useQueryClient()
  const { choose, shownOf } = useChoices({
    record: reviewersQuery(taskId).queryKey,
    write: (body: Partial<Pick<Asked, 'needs' | 'reviewers' | 'moves_to'>>) =>
      call('patchTaskReviewers', { params: { task_id: taskId }, body }),
    done: () => {
      for (const key of ['review', 'activity']) void client.invalidateQueries({ queryKey: [key, taskId] })
    },
    problem: 'Not saved',
  })
  if (!saved) return null
  const asked = shownOf(saved)
  const awaited = [...new Set(reviews.flatMap((review) => review.awaited))]
  const named = awaited.map((id) => reviewerName(people.get(id)))
  const labels = new Map(columns.map(({ name, label }) => [name, label]))
  return (
    <section className="reviewers" aria-label="Review">
      <MultiChoice
        label="Reviewers"
        placeholder={asked.reviewers.length === 0 ? 'Anybody' : ''}
        data={reviewerChoices(people, asked.reviewers)}
        value={asked.reviewers}
        maxValues={20}
        searchable
        disabled={disabled}
        onChange={(reviewers) => choose({ reviewers })}
      />
      <Select
        label="To accept"
        data={[
          { value: 'one', label: 'One of them' },
          { value: 'all', label: 'All of them' },
        ]}
        value={asked.needs}
        disabled={disabled}
        onChange={(needs) => choose({ needs: needs === 'all' ? 'all' : 'one' })}
      />
      <Select
        label="All accepted in a check: move to"
        placeholder="It stays"
        data={taskStatuses.map((value) => ({ value, label: labels.get(value) ?? value }))}
        value={asked.moves_to}
        clearable
        disabled={disabled}
        onChange={(value) => choose({ moves_to: isTaskStatus(value) ? value : null })}
      />
      {named.length > 0 ? (
        <p className="hint" role="status">
          Waiting for {named.join(', ')}
        </p>
      ) : null}
    </section>
  )
}
