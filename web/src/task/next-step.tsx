// In charge of the button for the usual next step of a task: to move the task to the next column or, if it is done, to record its
// launch.
import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { Task } from '@atelier/contract/tasks.ts'
import { Button } from '@mantine/core'
import type { Labelled } from '../lib/types.ts'
import { Icon } from '../ui/icons.tsx'

type Props = {
  task: Task
  /** The columns of the board, from left to right. */
  statuses: readonly (Labelled & { value: TaskStatus })[]
  move: (to: TaskStatus) => void
  launch: () => void
}

export function NextStep({ task, statuses, move, launch }: Props) {
  if (task.status === 'done') {
    return task.launched_at === null ? (
      <Button size="compact-sm" variant="light" leftSection={<Icon name="flag" size={14} />} onClick={launch}>
        Record the launch
      </Button>
    ) : null
  }
  const next = statuses[statuses.findIndex(({ value }) => value === task.status) + 1]
  if (!next) return null
  return (
    <Button
      size="compact-sm"
      variant="light"
      rightSection={<Icon name="right" size={14} />}
      aria-label={`Move on to ${next.label}`}
      onClick={() => move(next.value)}
    >
      {next.label}
    </Button>
  )
}
