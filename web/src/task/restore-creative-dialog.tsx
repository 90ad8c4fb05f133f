// In charge of the dialog for a deleted creative that cannot be restored, because its name belongs to another creative by now.
import { Button, TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { freeName } from '../board/free-name.ts'
import { call } from '../lib/api.ts'
import { wordsOf } from '../lib/errors.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { isNameless, leaveNameless, type Nameless, useNameless, useRestoreCreative } from './restore-creative.ts'

export function RestoreCreativeDialog({ taskId }: { taskId: string }) {
  const nameless = useNameless(taskId)
  if (!nameless) return null
  return <NewName key={nameless.conflict.creative_id} {...nameless} />
}

function NewName({ taskId, conflict: { creative_id, name: taken, taken_by_task_id }, problem: refused }: Nameless) {
  const restore = useRestoreCreative(taskId)
  const [name, setName] = useState(() => freeName(taken))
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const submit = async () => {
    setIsBusy(true)
    setProblem(null)
    try {
      // While it is deleted, a creative may get any name: whether the name is free shows when the creative is restored.
      await call('patchCreative', { params: { creative_id }, body: { name: name.trim() } })
      // Whoever has closed the dialog meanwhile wants the creative to stay deleted.
      if (isNameless(creative_id)) await restore(creative_id)
    } catch (error) {
      setProblem(wordsOf(error))
    }
    setIsBusy(false)
  }
  return (
    <Dialog onClose={leaveNameless} title="This name was taken meanwhile">
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
            <Link to="/tasks/$task_id" params={{ task_id: taken_by_task_id }} onClick={leaveNameless}>
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
          <Button variant="default" onClick={leaveNameless}>
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
