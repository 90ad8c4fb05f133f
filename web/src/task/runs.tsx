// In charge of the list of a task's runs: those that were started for the task, and those that are pinned to it, so that their
// exports go to its card by default.
import type { RunStatus } from '@atelier/contract/enums.ts'
import type { Task } from '@atelier/contract/tasks.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { creditWords } from '../canvas/words.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { callerQuery, taskRunsQuery } from '../lib/queries.ts'
import type { RunCard } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { TaskSpend } from '../money/spend.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { StartRun } from './start-run.tsx'
import './runs.css'

const states: Record<RunStatus, { words: string; tone?: string }> = {
  draft: { words: 'Draft' },
  queued: { words: 'Queued', tone: 'accent' },
  running: { words: 'Running', tone: 'accent' },
  awaiting_input: { words: 'Needs an answer', tone: 'warn' },
  succeeded: { words: 'Succeeded', tone: 'ok' },
  failed: { words: 'Failed', tone: 'danger' },
  cancelled: { words: 'Cancelled' },
}

export function Runs({ task, disabled }: { task: Task; disabled: boolean }) {
  const runs = useQuery(taskRunsQuery(task.id))
  const mayRun = useQuery(callerQuery).data?.scopes.includes('runs:write') ?? false
  if (runs.isPending) return <Loading what="the runs" />
  if (!runs.data) return <Failed error={runs.error} retry={() => void runs.refetch()} />
  return (
    <div className="runs">
      {disabled || !mayRun ? null : <StartRun task={task} isFirst={runs.data.length === 0} />}
      {runs.data.length === 0 ? (
        <p className="hint">
          No graph has been run for this task. A graph makes files from what the task says; those you choose become its
          creatives.
        </p>
      ) : (
        <>
          <TaskSpend taskId={task.id} />
          <RunList runs={runs.data} />
        </>
      )}
    </div>
  )
}

function RunList({ runs }: { runs: readonly RunCard[] }) {
  const now = useNow()
  return (
    <ul className="history" aria-label="Runs">
      {runs.map((run) => (
        <li key={run.id} className="run">
          <span className="mark" data-tone={states[run.status].tone}>
            {states[run.status].words}
          </span>
          <div className="run-said">
            <Link to="/runs/$run_id" params={{ run_id: run.id }}>
              {run.graph_name ?? 'A graph that is gone'}
            </Link>
            {run.status === 'awaiting_input' ? (
              <Button
                size="compact-xs"
                variant="light"
                className="run-answer"
                renderRoot={(props) => <Link to="/runs/$run_id" params={{ run_id: run.id }} {...props} />}
              >
                Answer it
              </Button>
            ) : null}
            {run.error ? <p className="problem">{run.error}</p> : null}
            <p className="hint">
              <time dateTime={run.created_at} title={fullWords(run.created_at)}>
                {agoWords(run.created_at, now)}
              </time>
              {run.credits_total > 0 ? ` · ${creditWords(run.credits_total)}` : ''}
              {run.exported_creatives > 0 ? ` · ${run.exported_creatives} on the card` : ''}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
