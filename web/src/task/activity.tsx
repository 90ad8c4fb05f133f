// In charge of showing the history of a task: who did what, and when.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useBoard } from '../board/board-context.ts'
import { agoWords, fullWords } from '../lib/dates.ts'
import { activityQuery } from '../lib/queries.ts'
import { useNow } from '../lib/use-now.ts'
import { Icon } from '../ui/icons.tsx'
import { Failed, Loading } from '../ui/states.tsx'
import { deletedNameOf, plainValue, wordsOfActivity } from './activity-words.ts'
import { restorableIn } from './restorable.ts'
import { useRestoreCreative } from './restore-creative.ts'

/** `disabled`: whether nothing of the task can be changed. */
export function History({ taskId, disabled }: { taskId: string; disabled: boolean }) {
  const activity = useInfiniteQuery(activityQuery(taskId))
  const labels = useLabels()
  const now = useNow()
  const { retentionMs } = useBoard()
  const restore = useRestoreCreative(taskId)
  if (activity.isPending) return <Loading what="the activity" />
  if (!activity.data) return <Failed error={activity.error} retry={() => void activity.refetch()} />
  const entries = activity.data.pages.flatMap(({ items }) => items)
  const restorable = disabled ? null : restorableIn(entries, retentionMs, now)
  return (
    <div>
      <ol className="history" aria-label="Activity">
        {entries.map((entry) => {
          const { did, changes } = wordsOfActivity(entry, labels)
          const creativeId = restorable?.get(entry.id)
          const deleted = deletedNameOf(entry)
          return (
            <li key={entry.id}>
              <p>
                <strong>{entry.by?.name ?? 'Somebody'}</strong> {did}{' '}
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

/** Makes a label from the name of a member for which the task schema has no label: `test_status` becomes “Test status”. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ').replace(/ id$/, '')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Finds the labels of members and of their values in the task schema, and the names of users and products by their ids. */
function useLabels() {
  const { schema, people, products } = useBoard()
  return {
    member: (name: string) => schema.filter_fields.find((field) => field.name === name)?.label ?? labelOf(name),
    value: (name: string, value: unknown): string => {
      const field = schema.filter_fields.find((field) => field.name === name)
      const known = field?.values ?? (field?.vocabulary ? schema.vocabularies[field.vocabulary] : undefined)
      const label = known?.find((entry) => entry.value === value)?.label
      if (label) return label
      const person = typeof value === 'string' ? people.get(value) : undefined
      const product = typeof value === 'string' ? products.get(value) : undefined
      if (person || product) return person?.name ?? product?.name ?? 'Unnamed'
      return name.endsWith('_at') && typeof value === 'string' ? fullWords(value) : plainValue(value)
    },
  }
}
