// In charge of the dialog for a deleted creative that cannot be restored, because its name belongs to another creative by now.
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { proposedName } from '../lib/proposed-name.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { isTakenName, leaveTakenName, type TakenName, useRestoreCreative, useTakenName } from './restore-creative.ts'

export function RestoreCreativeDialog({ taskId }: { taskId: string }) {
  const takenName = useTakenName(taskId)
  if (!takenName) return null
  return <NewName key={takenName.conflict.creative_id} {...takenName} />
}

function NewName({ taskId, conflict: { creative_id, name: taken, taken_by_task_id }, problem: refused }: TakenName) {
  const restore = useRestoreCreative(taskId)
  const [name, setName] = useState(() => proposedName(taken))
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    setIsBusy(true)
    setProblem(null)
    try {
      // While it is deleted, a creative may get any name: whether the name is free shows when the creative is restored.
      await call('patchCreative', { params: { creative_id }, body: { name: name.trim() } })
      // Whoever has closed the dialog meanwhile wants the creative to stay deleted.
      if (isTakenName(creative_id)) await restore(creative_id)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsBusy(false)
  }
  return (
    <Dialog onClose={leaveTakenName} title="This name was taken meanwhile">
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <p>
          <strong>{taken}</strong> cannot come back under its name, which now belongs to a creative of{' '}
          {taken_by_task_id === taskId ? (
            'this task'
          ) : (
            <Link to="/tasks/$task_id" params={{ task_id: taken_by_task_id }} onClick={leaveTakenName}>
              another task
            </Link>
          )}
          . Give it a new name, and it is restored.
        </p>
        <TextInput
          data-autofocus
          label="New name"
          value={name}
          error={isBusy ? null : (problem ?? refused)}
          required
          maxLength={255}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <div className="dialog-foot">
          <Button variant="default" onClick={leaveTakenName}>
            Leave it deleted
          </Button>
          <Button type="submit" loading={isBusy} leftSection={<Icon name="restore" size={14} />}>
            Rename and restore
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
