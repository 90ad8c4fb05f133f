// In charge of the mark that shows the state of a task's automation; a click on the mark opens the automation's run.
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { taskRunsQuery } from '../lib/queries.ts'
import type { Card } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { tell, tellError } from '../ui/toasts.tsx'
import { automationMark, runBehind } from './automation.ts'
import { useBoard } from './board-context.ts'

const tones = { alive: 'accent', waiting: 'warn', stalled: 'danger', failed: 'danger', done: 'ok' } as const

type Props = { task: { id: string; automation: Card['automation'] }; unlessDone?: boolean }

export function AutomationMark({ task, unlessDone = false }: Props) {
  const { timeoutMs } = useBoard()
  const open = useOpenRun(task)
  const mark = automationMark(task.automation, timeoutMs, useNow())
  if (!mark || (unlessDone && mark.kind === 'done')) return null
  const invitation = mark.kind === 'waiting' ? 'Click to answer.' : 'Click to see the run.'
  return (
    <button
      type="button"
      className="mark mark-button"
      data-tone={tones[mark.kind]}
      data-hint={`${mark.detail} ${invitation}`}
      onClick={() => void open()}
    >
      <Icon name="bolt" size={11} />
      {mark.label}
    </button>
  )
}

/** Opens the run of the automation. The card does not contain the run's id, so the run is looked up, but only after a click. */
function useOpenRun({ id, automation }: Props['task']): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      const run = runBehind(automation.state, await client.fetchQuery({ ...taskRunsQuery(id), staleTime: 0 }))
      if (run) await navigate({ to: '/runs/$run_id', params: { run_id: run.id } })
      else tell('Its run is not there any more.')
    } catch (error) {
      tellError(error)
    }
  }
}
