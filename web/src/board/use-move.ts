// In charge of moving cards to another column, and of changing a member of several tasks at once. Changes are shown before the
// service responds; if the service refuses a change, it is undone and a message is shown.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import { createInTurn } from '../lib/in-turn.ts'
import { settleAll } from '../lib/pool.ts'
import type { Card } from '../lib/types.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { LabelsMissing, showBarred } from './barred.ts'
import { type Board, useBoard } from './board-context.ts'
import { focusCard } from './selection.ts'
import { boardWrite, useFeeds } from './use-feeds.ts'

/** Thrown if somebody else has moved, deleted or changed the task since this browser read its card; `message` says which. */
class MovedMeanwhile extends Error {}

/**
 * `shown` resolves when the columns show the move; its value is a function that undoes the move on the screen. `isUndo`: the user
 * has undone a move, and the cards go back to the column where they were before.
 */
type Move = { cards: readonly Card[]; to: TaskStatus; shown: Promise<() => void>; isUndo: boolean }

/** Sends the moves of one card one after the other, because a user may move a card again before its last move has been saved. */
const inTurn = createInTurn()

export function useMove(): (cards: readonly Card[], to: TaskStatus) => void {
  const feeds = useFeeds()
  const board = useBoard()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, to, isUndo }: Move) => {
      const ids = cards.map(({ id }) => id)
      const [only] = cards
      return inTurn(ids, () => {
        if (only && cards.length === 1) return moveOne(only, to, board)
        if (isUndo) return moveEach(cards, to, board)
        return patchMany(ids, { status: to })
      })
    },
    onMutate: async ({ cards, to, shown }) => {
      const undo = await shown
      const [first] = cards
      // Moves the focus to the card in its new column.
      if (first && cards.length === 1) focusCard(first.id, to)
      return undo
    },
    onError: (error, { cards }, undo) => {
      undo?.()
      if (!showBarred(error, cards)) tellError(error, 'Not moved')
    },
    onSuccess: (_data, { cards, to, isUndo }) => {
      const label = labelOf(board, to)
      if (isUndo) tell(`${cardsWords(cards)} ${cards.length === 1 ? 'is' : 'are'} back in ${label}`)
      else tellUndoable(`Moved ${cardsWords(cards)} to ${label}`, () => putBack(cards, to), 'moved')
    },
    onSettled: (_data, error, { cards }) => {
      feeds.settle(
        cards.map(({ id }) => id),
        error === null,
      )
      for (const { id } of cards) void client.invalidateQueries({ queryKey: ['task', id] })
    },
  })
  const move = (cards: readonly Card[], to: TaskStatus, isUndo: boolean) =>
    mutate({ cards, to, isUndo, shown: feeds.move(cards, to, { status: to }) })
  const putBack = (cards: readonly Card[], from: TaskStatus) => {
    for (const [status, group] of Map.groupBy(cards, ({ status }) => status)) {
      const there = group.map((card) => ({ ...card, status: from }))
      move(there, status, true)
    }
  }
  return (cards, to) => {
    const moving = cards.filter(({ status, deleted_at }) => status !== to && deleted_at === null)
    if (moving.length > 0) move(moving, to, false)
  }
}

const cardsWords = (cards: readonly Card[]): string => {
  const [only] = cards
  return only && cards.length === 1 ? `“${only.name}”` : `${cards.length} tasks`
}

const labelOf = ({ columns }: Board, status: TaskStatus): string =>
  columns.find(({ name }) => name === status)?.label ?? status

/** Moves cards one by one; a card that another user has moved meanwhile stays in the column that the other user chose. */
async function moveEach(cards: readonly Card[], to: TaskStatus, board: Board): Promise<void> {
  const outcomes = await settleAll(cards, atOnce, (card) => moveOne(card, to, board))
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected')
  const [first] = failed
  if (first) throw new Error(`${cards.length - failed.length} moved, ${failed.length} not: ${wordsOf(first.reason)}`)
}

/** How many requests are sent at the same time. */
const atOnce = 6

/**
 * Moves one card. Cards contain no revision, so the task is read first: if another user has moved it since this browser read the
 * card, the task is not moved. `if-match` detects a change between this read and the write.
 */
async function moveOne(card: Card, to: TaskStatus, board: Board): Promise<void> {
  const params = { task_id: card.id }
  const { data, etag } = await callTagged('getTask', { params })
  if ('included' in data) throw new Error('The service answered with more than it was asked for.')
  if (data.deleted_at !== null) throw new MovedMeanwhile('Somebody deleted it meanwhile; it is in the Deleted column.')
  if (data.status !== card.status) {
    const label = labelOf(board, data.status)
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
  if (!first) return
  const said = `${updated.length} changed, ${failed.length} not: ${first.detail}`
  const missing = failed.filter(({ code }) => code === 'label_missing')
  if (missing.length === failed.length)
    throw new LabelsMissing(said, new Map(missing.map(({ id, detail }) => [id, detail])))
  throw new Error(said)
}

/** Returns a function that applies `patch` to several tasks. `shown`: the members to change on their cards before the response. */
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
    onSettled: (_data, error, { ids }) => {
      feeds.settle(ids, error === null)
      for (const id of ids) void client.invalidateQueries({ queryKey: ['task', id] })
    },
  })
  return (ids, patch, shown) => mutate({ ids, patch, shown })
}
