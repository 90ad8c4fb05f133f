// In charge of one row in the list of runs: the facts about a run, and a menu with actions.
import { runRefuses } from '@atelier/contract/graph/run-rules.ts'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { NodeIcon } from '../canvas/node-icons.tsx'
import { RunMark } from '../canvas/status-mark.tsx'
import { creditWords } from '../canvas/words.ts'
import { agoWords } from '../lib/dates.ts'
import { callerQuery, peopleQuery, taskQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Avatar } from '../ui/person.tsx'
import type { RunCard } from './queries.ts'
import { taskOf } from './task-of-run.ts'
import { useActions } from './use-actions.ts'

export function RunRow({ run }: { run: RunCard }) {
  const now = useNow()
  const actions = useActions(run.id)
  const people = useQuery(peopleQuery).data
  const mayWrite = useQuery(callerQuery).data?.scopes.includes('runs:write') ?? false
  const taskId = taskOf(run)
  const task = useQuery({ ...taskQuery(taskId ?? ''), enabled: taskId !== null, retry: false, staleTime: 60_000 }).data
    ?.task
  const isDeleted = run.deleted_at !== null
  return (
    <li className="run-row">
      <span className="run-state">
        <RunMark status={run.status} />
      </span>
      <div className="run-main">
        <Link to="/runs/$run_id" params={{ run_id: run.id }} search={{}} className="tile-name">
          {run.graph_name ?? 'A graph that is gone'}
        </Link>
        <span className="hint">
          {task ? `#${task.number} ${task.name} · ` : ''}
          {agoWords(run.created_at, now)} · {creditWords(run.credits_total)}
          {run.generation > 1 ? ` · generation ${run.generation}` : ''}
        </span>
        {run.error && run.status === 'failed' ? <span className="hint problem run-error">{run.error}</span> : null}
      </div>
      <span className="run-marks">
        {run.copied_from ? (
          <span className="mark">
            <NodeIcon name="fork" size={12} /> Fork
          </span>
        ) : null}
        {run.edited ? (
          <span className="mark" data-tone="accent">
            Edited
          </span>
        ) : null}
        {run.exported_creatives > 0 ? (
          <span className="mark" data-tone="ok">
            <Icon name="flag" size={12} /> {run.exported_creatives} exported
          </span>
        ) : null}
      </span>
      <Avatar id={run.owner_id} person={people?.find(({ id }) => id === run.owner_id)} part="Owner" />
      <span className="tile-actions run-actions">
        {isDeleted && mayWrite ? (
          <Button size="compact-xs" variant="light" onClick={() => void actions.undelete()}>
            Undelete
          </Button>
        ) : mayWrite ? (
          <Menu>
            <Menu.Target>
              <ActionIcon size="sm" aria-label={`Menu of the run of ${run.graph_name ?? 'a graph that is gone'}`}>
                <Icon name="more" />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                color="red"
                leftSection={<Icon name="trash" />}
                disabled={runRefuses.delete(run) !== null}
                onClick={() => void actions.remove()}
              >
                {runRefuses.delete(run) === null ? 'Delete' : 'Delete (cancel it first)'}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ) : null}
      </span>
    </li>
  )
}
