// In charge of moving cards to another column, and of giving several a new value: shown at once, taken back with a
// message where the service refuses.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import type { Card } from '../lib/types.ts'
import { tellError } from '../ui/toasts.tsx'
import { type Board, useBoard } from './board-context.ts'
import { focusCard } from './selection.ts'
import { boardWrite, useFeeds } from './use-feeds.ts'

/** Thrown where somebody else was quicker; `message` says what they did. */
class MovedMeanwhile extends Error {}

/** `shown` comes once the columns show it; what it brings undoes that. */
type Move = { cards: readonly Card[]; to: TaskStatus; shown: Promise<() => void> }

export function useMove(): (cards: readonly Card[], to: TaskStatus) => void {
  const feeds = useFeeds()
  const board = useBoard()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, to }: Move) => {
      const [only] = cards
      return cards.length === 1 && only
        ? moveOne(only, to, board)
        : patchMany(
            cards.map(({ id }) => id),
            { status: to },
          )
    },
    onMutate: async ({ cards, to, shown }) => {
      const undo = await shown
      const [first] = cards
      // The focus goes where the card goes, once it is there.
      if (first && cards.length === 1) focusCard(first.id, to)
      return undo
    },
    onError: (error, _moved, undo) => {
      undo?.()
      tellError(error, 'Not moved')
    },
    onSettled: (_data, _error, { cards }) => {
      feeds.settle()
      for (const { id } of cards) void client.invalidateQueries({ queryKey: ['task', id] })
    },
  })
  return (cards, to) => {
    const moving = cards.filter(({ status, deleted_at }) => status !== to && deleted_at === null)
    if (moving.length > 0) mutate({ cards: moving, to, shown: feeds.move(moving, to, { status: to }) })
  }
}

/**
 * Cards carry no revision, so it is read first: a card that somebody else has moved since it was shown here stays where
 * they put it, and `if-match` sees to the moment between the read and the write.
 */
async function moveOne(card: Card, to: TaskStatus, board: Board): Promise<void> {
  const params = { task_id: card.id }
  const { data, etag } = await callTagged('getTask', { params })
  if ('included' in data) throw new Error('The service answered with more than it was asked for.')
  if (data.deleted_at !== null) throw new MovedMeanwhile('Somebody deleted it meanwhile; it is in the Deleted column.')
  if (data.status !== card.status) {
    const label = board.columns.find(({ name }) => name === data.status)?.label ?? data.status
    throw new MovedMeanwhile(
      `Somebody moved it to ${label} meanwhile. It stays there; move it again if you still want to.`,
    )
  }
  try {
    await call('patchTask', { params, body: { status: to }, ...(etag ? { headers: { 'if-match': etag } } : {}) })
  } catch (error) {
    if (!hasCode(error, 'precondition_failed')) throw error
    throw new MovedMeanwhile('Somebody changed it at the same moment. Look at it, then move it again.')
  }
}

async function patchMany(ids: readonly string[], patch: TaskPatch): Promise<void> {
  const { updated, failed } = await call('bulkPatchTasks', { body: { ids: [...ids], patch } })
  const [first] = failed
  if (first) throw new Error(`${updated.length} changed, ${failed.length} not: ${first.detail}`)
}

/** Gives selected tasks the same value of something; `shown` is what the cards show of it meanwhile. */
export function usePatchMany(): (ids: readonly string[], patch: TaskPatch, shown: Partial<Card>) => void {
  const feeds = useFeeds()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ ids, patch }: { ids: readonly string[]; patch: TaskPatch; shown: Partial<Card> }) =>
      patchMany(ids, patch),
    onMutate: ({ ids, shown }) => feeds.change(ids, shown),
    onError: (error, _given, undo) => {
      undo?.()
      tellError(error, 'Not all were changed')
    },
    onSettled: (_data, _error, { ids }) => {
      feeds.settle()
      for (const id of ids) void client.invalidateQueries({ queryKey: ['task', id] })
    },
  })
  return (ids, patch, shown) => mutate({ ids, patch, shown })
}
