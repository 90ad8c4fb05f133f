// In charge of the dialog for tasks that cannot be moved to done, because creatives lack the AI label that their market requires.
// The dialog gives the reason for each task and a link to its creatives. Admins can let the tasks pass if they enter a reason.
import { Button, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../lib/api.ts'
import { callerQuery } from '../lib/queries.ts'
import { Dialog } from '../ui/dialog.tsx'
import { tellError } from '../ui/toasts.tsx'
import '../ui/marks.css'
import { type Barred, leaveBarred } from './barred.ts'
import { useMove } from './use-move.ts'

export function LabelDialog({ barred }: { barred: readonly Barred[] }) {
  return (
    <Dialog title="A label is missing" size="lg" onClose={leaveBarred} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Missing barred={barred} />
    </Dialog>
  )
}

function Missing({ barred }: { barred: readonly Barred[] }) {
  const isAdmin = useQuery(callerQuery).data?.scopes.includes('admin') ?? false
  return (
    <>
      <p>
        {barred.length === 1 ? 'This task stays' : `${barred.length} tasks stay`} where{' '}
        {barred.length === 1 ? 'it is' : 'they are'} until the label that the market demands stands on what models made.
      </p>
      <ul className="label-tasks">
        {barred.map(({ card, why }) => (
          <li key={card.id}>
            <Link to="/tasks/$task_id" params={{ task_id: card.id }} hash="creatives" onClick={leaveBarred}>
              {card.name}
            </Link>
            <p>{why}</p>
          </li>
        ))}
      </ul>
      {isAdmin ? <Waive barred={barred} /> : <p className="hint">An admin can let them pass with a reason.</p>}
    </>
  )
}

function Waive({ barred }: { barred: readonly Barred[] }) {
  const move = useMove()
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    try {
      for (const { card } of barred)
        await call('waiveLabels', { params: { task_id: card.id }, body: { reason: reason.trim() } })
      leaveBarred()
      move(
        barred.map(({ card }) => card),
        'done',
      )
    } catch (error) {
      tellError(error, 'Not let pass')
    }
    setBusy(false)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Textarea
        label="Let pass, because"
        description="Stands in the activity with your name. It counts for the files there are now."
        required
        autosize
        minRows={2}
        maxLength={500}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={leaveBarred}>
          Not now
        </Button>
        <Button type="submit" color="red" disabled={reason.trim() === ''} loading={busy}>
          Let pass and move to Done
        </Button>
      </div>
    </form>
  )
}
