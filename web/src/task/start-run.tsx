// In charge of the form that starts a run for the open task: the user chooses a graph and a variant, and then sees the run.
import type { Task } from '@atelier/contract/tasks.ts'
import { Button, Select } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { wordsOf } from '../lib/errors.ts'
import { startNewRun } from '../money/guarded.ts'
import { GraphPicker } from '../ui/graph-picker.tsx'
import { Icon } from '../ui/icons.tsx'
import { onlyVariant } from './variant-list.ts'

const wholeTask = ''

/** `isFirst`: whether the task has no runs yet; the form is then open from the start. */
export function StartRun({ task, isFirst }: { task: Task; isFirst: boolean }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isOpen, setIsOpen] = useState(isFirst)
  const [graphId, setGraphId] = useState<string | null>(null)
  const [chosen, setVariant] = useState<string | null>(null)
  const variant = chosen ?? String(onlyVariant(task.variants) ?? wholeTask)
  const start = useMutation({
    mutationFn: (graphId: string) =>
      startNewRun(graphId, {
        ...{ task_id: task.id, pinned_task_id: task.id },
        ...(variant === wholeTask ? {} : { variation_num: Number(variant) }),
      }),
    onSuccess: async (run_id) => {
      if (run_id === null) return
      void client.invalidateQueries({ queryKey: ['runs'] })
      await navigate({ to: '/runs/$run_id', params: { run_id } })
    },
  })
  if (!isOpen) {
    return (
      <div className="start-run-buttons">
        <Button leftSection={<Icon name="run" size={14} />} onClick={() => setIsOpen(true)}>
          Start a run
        </Button>
      </div>
    )
  }
  return (
    <form
      className="start-run"
      onSubmit={(event) => {
        event.preventDefault()
        if (graphId !== null) start.mutate(graphId)
      }}
    >
      <GraphPicker
        label="Graph"
        description="It gets what this task says, and puts the files you choose on this card."
        value={graphId}
        change={setGraphId}
        error={start.isError ? wordsOf(start.error) : null}
        // The user has to choose a graph, so the list of graphs opens together with the form.
        isOpenAtFirst
      />
      {task.variants.length > 0 ? (
        <Select
          label="For"
          description="For one variant, the graph reads its angle, hook and audience, and its files get its names."
          data={[
            { value: wholeTask, label: 'The whole task' },
            ...task.variants.map(({ variation_num, key }) => ({
              value: String(variation_num),
              label: `V${variation_num} · ${key}`,
            })),
          ]}
          value={variant}
          onChange={setVariant}
        />
      ) : null}
      <div className="start-run-buttons">
        <Button type="submit" disabled={graphId === null} loading={start.isPending}>
          Start the run
        </Button>
        {isFirst ? null : (
          <Button variant="subtle" onClick={() => setIsOpen(false)}>
            Not now
          </Button>
        )}
      </div>
    </form>
  )
}
