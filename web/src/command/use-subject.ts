// In charge of the task that the commands of the palette are about: the open one, or else the one whose card has the focus.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import type { Feed } from '../board/feed-edits.ts'
import { focusedCard } from '../board/selection.ts'
import { taskQuery } from '../lib/queries.ts'
import type { Card } from '../lib/types.ts'
import type { Subject } from './steps.ts'

/**
 * The task that is open; if none is open, the task of the card that had the focus before the palette was opened, or that contains
 * the element `from`, which opened it. Null if there is no such task, or if it is deleted.
 */
export function useSubject(from: HTMLElement | null): Subject | null {
  const client = useQueryClient()
  const params = useMatches({ select: (matches) => matches.at(-1)?.params })
  const opened = params !== undefined && 'task_id' in params ? params.task_id : undefined
  const [focused] = useState(() => focusedCard() ?? from?.closest('[data-card]')?.getAttribute('data-card') ?? null)
  const id = opened ?? focused
  // Until the task has been read, its card says what it is called; without it, a quick Enter would choose a command without a task.
  const [card] = useState(() => (id === null ? undefined : loadedCard(client, id)))
  const read = useQuery({ ...taskQuery(id ?? ''), enabled: id !== null }).data?.task
  const task = read ?? (card?.id === id ? card : undefined)
  if (!task || task.deleted_at !== null) return null
  return { id: task.id, name: task.name, number: task.number }
}

/** The pages are read here and not by `cardsOf`, which would then load as a script of its own, and make the board's scripts larger. */
const loadedCard = (client: QueryClient, id: string): Card | undefined =>
  client
    .getQueriesData<Feed>({ queryKey: ['feed'] })
    .flatMap(([, feed]) => feed?.pages ?? [])
    .flatMap(({ tasks }) => tasks)
    .find((card) => card.id === id)
