// In charge of what the commands of the palette are about: the selected cards of the board if there are several, and a task: the open
// one, or else the one whose card has the focus.
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useMatches } from '@tanstack/react-router'
import { useState } from 'react'
import type { Feed } from '../board/feed-edits.ts'
import { type ManyActs, manyActs } from '../board/many-acts.ts'
import { focusedCard, selectedIds } from '../board/selection.ts'
import { taskQuery } from '../lib/queries.ts'
import type { Card } from '../lib/types.ts'
import type { Subject } from './steps.ts'

/**
 * `subject`: the task that is open; if none is open, the task of the card that had the focus before the palette was opened, or that
 * contains the element `from`, which opened it. Null if there is no such task, or if it is deleted, or if its card is one of several
 * selected ones: an action on such a card is for all of them. `many`: what can be done with these; null if there are not several.
 */
export function useSubject(from: HTMLElement | null): { subject: Subject | null; many: ManyActs | null } {
  // The selection cannot change while the palette covers the board.
  const [many] = useState(manyActs)
  const client = useQueryClient()
  const params = useMatches({ select: (matches) => matches.at(-1)?.params })
  const opened = params !== undefined && 'task_id' in params ? params.task_id : undefined
  const [focused] = useState(() => {
    const card = focusedCard() ?? from?.closest('[data-card]')?.getAttribute('data-card') ?? null
    return many !== null && card !== null && selectedIds().has(card) ? null : card
  })
  const id = opened ?? focused
  // Until the task has been read, its card says what it is called; without it, a quick Enter would choose a command without a task.
  const [card] = useState(() => (id === null ? undefined : loadedCard(client, id)))
  const read = useQuery({ ...taskQuery(id ?? ''), enabled: id !== null }).data?.task
  const task = read ?? (card?.id === id ? card : undefined)
  if (!task || task.deleted_at !== null) return { subject: null, many }
  return { subject: { id: task.id, name: task.name, number: task.number }, many }
}

/** The pages are read here and not by `cardsOf`, which would then load as a script of its own, and make the board's scripts larger. */
const loadedCard = (client: QueryClient, id: string): Card | undefined =>
  client
    .getQueriesData<Feed>({ queryKey: ['feed'] })
    .flatMap(([, feed]) => feed?.pages ?? [])
    .flatMap(({ tasks }) => tasks)
    .find((card) => card.id === id)
