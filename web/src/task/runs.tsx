// In charge of the runs that were started for a task, or put their files on it.
import type { RunStatus } from '@atelier/contract/enums.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { agoWords, fullWords } from '../lib/dates.ts'
import { taskRunsQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { Failed, Loading } from '../ui/states.tsx'

const states: Record<RunStatus, { words: string; tone?: string }> = {
  draft: { words: 'Draft' },
  queued: { words: 'Queued', tone: 'accent' },
  running: { words: 'Running', tone: 'accent' },
  awaiting_input: { words: 'Needs an answer', tone: 'warn' },
  succeeded: { words: 'Succeeded', tone: 'ok' },
  failed: { words: 'Failed', tone: 'danger' },
  cancelled: { words: 'Cancelled' },
}

export function Runs({ taskId }: { taskId: string }) {
  const runs = useQuery(taskRunsQuery(taskId))
  const now = useNow()
  if (runs.isPending) return <Loading what="the runs" />
  if (!runs.data) return <Failed error={runs.error} retry={() => void runs.refetch()} />
  if (runs.data.length === 0) {
    return (
      <p className="hint">
        No graph has been run for this task. Files that a run makes for it land among its creatives.
      </p>
    )
  }
  return (
    <ul className="history" aria-label="Runs">
      {runs.data.map((run) => (
        <li key={run.id} className="run">
          <span className="mark" data-tone={states[run.status].tone}>
            {states[run.status].words}
          </span>
          <div>
            <Link to="/runs/$run_id" params={{ run_id: run.id }}>
              {run.graph_name ?? 'A graph that is gone'}
            </Link>
            {run.error ? <p className="problem">{run.error}</p> : null}
            <p className="hint">
              <time dateTime={run.created_at} title={fullWords(run.created_at)}>
                {agoWords(run.created_at, now)}
              </time>
              {run.credits_total > 0 ? ` · ${run.credits_total} credits` : ''}
              {run.exported_creatives > 0 ? ` · ${run.exported_creatives} on the card` : ''}
            </p>
          </div>
        </li>
      ))}
    </ul>
  )
}
