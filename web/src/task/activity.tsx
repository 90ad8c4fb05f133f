// In charge of showing the history of a task: who did what, and when.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useBoard } from '../board/board-context.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { activityQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { labelsOf } from './activity-labels.ts'
import { deletedNameOf, wordsOfActivity } from './activity-words.ts'
import { restorableIn } from './restorable.ts'
import { useRestoreCreative } from './restore-creative.ts'

/** `disabled`: whether nothing of the task can be changed. */
export function History({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const activity = useInfiniteQuery(activityQuery(taskId))
  const board = useBoard()
  const labels = useMemo(() => labelsOf(board), [board])
  const now = useNow()
  const restore = useRestoreCreative(taskId)
  if (activity.isPending) return <Loading what="the activity" />
  if (!activity.data) return <Failed error={activity.error} retry={() => void activity.refetch()} />
  const entries = activity.data.pages.flatMap(({ items }) => items)
  const restorable = disabled ? null : restorableIn(entries, board.retentionMs, now)
  return (
    <div>
      <ol className="history" aria-label="Activity">
        {entries.map((entry) => {
          const { who, did, changes } = wordsOfActivity(entry, labels)
          const creativeId = restorable?.get(entry.id)
          const deleted = deletedNameOf(entry)
          return (
            <li key={entry.id}>
              <p>
                <strong>{who}</strong> {did}{' '}
                <time dateTime={entry.at} title={fullWords(entry.at)}>
                  {agoWords(entry.at, now)}
                </time>
              </p>
              {changes.map(({ label, from, to }) => (
                <p key={label} className="hint">
                  {label}: {from === null ? null : <Before text={from} />}
                  {to}
                </p>
              ))}
              {creativeId === undefined ? null : (
                <Button
                  size="compact-xs"
                  variant="default"
                  leftSection={<Icon name="restore" size={13} />}
                  aria-label={deleted === undefined ? undefined : `Restore the creative “${deleted}”`}
                  onClick={() => void restore(creativeId)}
                >
                  Restore the creative
                </Button>
              )}
            </li>
          )
        })}
      </ol>
      {activity.hasNextPage ? (
        <Button variant="default" loading={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          Earlier
        </Button>
      ) : null}
    </div>
  )
}

const Before = ({ text }: { text: string }) => (
  <>
    <s>{text}</s> →{' '}
  </>
)
