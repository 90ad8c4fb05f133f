// In charge of a card in the Deleted column: the task's last status, the time left for restoring it, and a Restore button.
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { agoWords, leftOf, spanWords } from '../lib/dates.ts'
import type { Card } from '../lib/types.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { useBoard } from './board-context.ts'
import { useRestore } from './use-delete.ts'
import { useFocusAfter } from './use-focus-after.ts'

export function DeletedCard({ card }: { card: Card }) {
  const { schema, retentionMs, canWrite } = useBoard()
  const [busy, setBusy] = useState(false)
  const restore = useRestore()
  const focusAfter = useFocusAfter()
  const place = useRef<HTMLElement>(null)
  const putBack = async () => {
    setBusy(true)
    const isBack = await restore([card])
    // The card is about to leave this column, and would take the focus with it.
    if (isBack && place.current?.contains(document.activeElement)) focusAfter([card])
    setBusy(false)
  }
  const now = useNow()
  const status = schema.statuses.find(({ value }) => value === card.status)?.label ?? card.status
  const deletedAt = card.deleted_at ?? card.updated_at
  const left = leftOf(deletedAt, retentionMs, now)
  return (
    <article ref={place} className="card card-deleted" data-card={card.id}>
      <div className="card-top">
        <span className="card-number">#{card.number}</span>
        <span className="mark">was in {status}</span>
      </div>
      <Link
        to="/tasks/$task_id"
        params={{ task_id: card.id }}
        search={(search) => search}
        className="card-name"
        preload={false}
      >
        {card.name}
      </Link>
      <p className="card-terms">
        Deleted {agoWords(deletedAt, now)} · {left > 0 ? `${spanWords(left)} left` : 'its time is over'}
      </p>
      {canWrite ? (
        <div className="card-foot">
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<Icon name="restore" size={13} />}
            loading={busy}
            aria-label={`Restore ${card.name}`}
            onClick={() => void putBack()}
          >
            Restore
          </Button>
        </div>
      ) : null}
    </article>
  )
}
