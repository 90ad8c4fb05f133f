// In charge of the dialog that creates a run of a graph: the user chooses the task, and whether the run starts or stays a draft.
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { startNewRun } from '../money/guarded.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { TaskPicker } from './task-picker.tsx'

type Props = {
  graphId: string
  /** The reason why the graph cannot run now; null if the graph can run. */
  blocked: string | null
  /** Called before the run is created; the run is created only if this resolves to true. `closed` is aborted if the dialog is closed. */
  before: (closed: AbortSignal) => Promise<boolean>
  close: () => void
}

export function RunDialog({ graphId, blocked, before, close }: Props) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [taskId, setTaskId] = useState<string | null>(null)
  const [busy, setBusy] = useState<'start' | 'draft' | null>(null)
  const [error, setError] = useState<string | null>(null)
  const attempt = useRef<AbortController>(null)
  useEffect(() => () => attempt.current?.abort(), [])
  const make = async (execute: boolean) => {
    setBusy(execute ? 'start' : 'draft')
    attempt.current = new AbortController()
    const { signal } = attempt.current
    try {
      const isSaved = await before(signal)
      // Saving may have waited for an upload, and the user may have closed the dialog so that nothing is started or paid.
      if (signal.aborted) return
      if (!isSaved) throw new Error('The graph is not saved yet: see the words at its name.')
      const task = taskId === null ? {} : { task_id: taskId, pinned_task_id: taskId }
      const run = execute
        ? await startNewRun(graphId, task)
        : (await call('createRun', { params: { graph_id: graphId }, body: task })).id
      if (run === null) return setBusy(null)
      void client.invalidateQueries({ queryKey: ['runs'] })
      await navigate({ to: '/runs/$run_id', params: { run_id: run } })
    } catch (problem) {
      setError(wordsOf(problem))
      setBusy(null)
    }
  }
  return (
    <Dialog onClose={close} title="Run this graph" closeButtonProps={{ 'aria-label': 'Close' }}>
      <p className="hint">
        A run is an instance with a definition of its own: the graph can change while it goes on. Credits are estimated
        before anything is paid if you only prepare it.
      </p>
      <div className="dialog-fields">
        <TaskPicker
          label="For a task (optional)"
          description="Its fields are there for the graph, and files are put on its card by default."
          value={taskId}
          change={setTaskId}
        />
      </div>
      {blocked === null ? null : (
        <p className="notice" data-tone="warn">
          {blocked}
        </p>
      )}
      {error === null ? null : (
        <p className="notice" data-tone="danger" role="alert">
          {error}
        </p>
      )}
      <div className="dialog-foot">
        <Button
          size="sm"
          variant="default"
          disabled={busy === 'start'}
          loading={busy === 'draft'}
          onClick={() => void make(false)}
        >
          Only prepare it
        </Button>
        <Button
          size="sm"
          data-autofocus
          disabled={blocked !== null || busy === 'draft'}
          loading={busy === 'start'}
          leftSection={<Icon name="run" size={14} />}
          onClick={() => void make(true)}
        >
          Start now
        </Button>
      </div>
    </Dialog>
  )
}
