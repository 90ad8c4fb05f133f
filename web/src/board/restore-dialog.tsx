// In charge of the dialog for a deleted task that cannot be restored, because names of its creatives now belong to other creatives.
// The dialog lists these names, links to the tasks that have them now, and asks for new names; one button renames and restores.

import type { CreativeConflict } from '@atelier/contract/creatives.ts'
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { proposedName } from '../lib/proposed-name.ts'
import { taskOf } from '../lib/types.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import type { Conflicted, Named } from './conflicts.ts'
import { leaveDeleted, useRestore } from './use-delete.ts'
import { useFocusAfter } from './use-focus-after.ts'

export function RestoreDialog(conflicted: Conflicted) {
  return (
    <Dialog title="These names were taken meanwhile" size="lg" onClose={() => leaveDeleted(conflicted.task.id)}>
      {/* `keyOf` changes if an attempt solves only some of the conflicts: then React creates a new form for the remaining ones. */}
      <Resolve key={keyOf(conflicted)} {...conflicted} />
    </Dialog>
  )
}

const keyOf = ({ task, conflicts }: Conflicted): string =>
  [task.id, ...conflicts.map(({ creative_id }) => creative_id)].join()

function Resolve({ task, conflicts }: Conflicted) {
  const restore = useRestore()
  const focusAfter = useFocusAfter()
  const isOpen = useParams({ strict: false }).task_id === task.id
  const [names, setNames] = useState<ReadonlyMap<string, string>>(
    () => new Map(conflicts.map(({ creative_id, name }) => [creative_id, proposedName(name)])),
  )
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const given = conflicts.map(({ creative_id }) => ({
      creativeId: creative_id,
      name: names.get(creative_id)?.trim() ?? '',
    }))
    const { isBack, problems } = await renameAndRestore(restore, task, given)
    // The control that opened this dialog, which would get the focus back, disappears with the restored task.
    if (isBack && isOpen) document.querySelector<HTMLElement>('.task-panel')?.focus()
    else if (isBack) focusAfter([task])
    setProblems(problems)
    setBusy(false)
  }
  return (
    <form
      className="restore"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <p>
        <strong>{task.name}</strong> cannot come back as it was: while it was deleted, its name for{' '}
        {conflicts.length === 1 ? 'a creative' : `${conflicts.length} creatives`} went to another task. Give{' '}
        {conflicts.length === 1 ? 'it' : 'them'} a new name, and everything is restored.
      </p>
      {conflicts.map((conflict) => (
        <fieldset key={conflict.creative_id}>
          <legend>{conflict.name}</legend>
          <TakenBy conflict={conflict} leave={() => leaveDeleted(task.id)} />
          <TextInput
            label="New name"
            value={names.get(conflict.creative_id) ?? ''}
            error={problems.get(conflict.creative_id)}
            required
            maxLength={255}
            onChange={(event) => {
              const name = event.currentTarget.value
              setNames((before) => new Map(before).set(conflict.creative_id, name))
            }}
          />
        </fieldset>
      ))}
      <div className="dialog-foot">
        <Button variant="default" onClick={() => leaveDeleted(task.id)}>
          Leave it deleted
        </Button>
        <Button type="submit" loading={busy} leftSection={<Icon name="restore" size={14} />}>
          Rename and restore
        </Button>
      </div>
    </form>
  )
}

/** A sentence with a link to the task whose creative has the name now. */
function TakenBy({ conflict, leave }: { conflict: CreativeConflict; leave: () => void }) {
  const taker = useQuery({
    queryKey: ['task-name', conflict.taken_by_task_id],
    queryFn: async () => taskOf(await call('getTask', { params: { task_id: conflict.taken_by_task_id } })),
  })
  return (
    <p className="taken-by">
      This name now belongs to a creative of{' '}
      <Link to="/tasks/$task_id" params={{ task_id: conflict.taken_by_task_id }} onClick={leave}>
        {taker.data ? `#${taker.data.number} ${taker.data.name}` : 'another task'}
      </Link>
      .
    </p>
  )
}

/**
 * Gives each creative its new name and, if no name was refused, restores the task. Returns whether the task is back, and the messages
 * about refused names, each under the id of its creative.
 */
async function renameAndRestore(
  restore: (tasks: readonly Named[]) => Promise<boolean>,
  task: Named,
  names: readonly { creativeId: string; name: string }[],
): Promise<{ isBack: boolean; problems: ReadonlyMap<string, string> }> {
  const problems = new Map<string, string>()
  for (const { creativeId, name } of names) {
    await call('patchCreative', { params: { creative_id: creativeId }, body: { name } }).catch((error: unknown) =>
      problems.set(creativeId, wordsOf(error)),
    )
  }
  return { isBack: problems.size === 0 && (await restore([task])), problems }
}
