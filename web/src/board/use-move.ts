// In charge of moving cards to another column, and of changing a member of several tasks at once. Changes are shown before the
// service responds; if the service refuses a change, it is undone and a message is shown.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import { taskLimits } from '@atelier/contract/task-limits.ts'
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
import { forEachTask } from './many-tasks.ts'
import { focusCard } from './selection.ts'
import { boardWrite, useFeeds } from './use-feeds.ts'

/** Thrown if somebody else has moved, deleted or changed the task since this browser read its card; `message` says which. */
class MovedMeanwhile extends Error {}

/**
 * `shown` resolves when the columns show the move. `isUndo`: the user has undone a move, and the cards go back to the column where
 * they were before.
 */
type Move = { cards: readonly Card[]; to: TaskStatus; shown: Promise<unknown>; isUndo: boolean }

type Failed = { card: Card; error: unknown }
type Outcome = { moved: readonly Card[]; failed: readonly Failed[] }

/** Sends the moves of one card one after the other, because a user may move a card again before its last move has been saved. */
const inTurn = createInTurn()

export function useMove(): (cards: readonly Card[], to: TaskStatus) => void {
  const feeds = useFeeds()
  const board = useBoard()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, to }: Move) => inTurn(idsOf(cards), () => moveEach(cards, to, board)),
    onMutate: async ({ cards, to, shown }) => {
      await shown
      const [first] = cards
      // Moves the focus to the card in its new column.
      if (first && cards.length === 1) focusCard(first.id, to)
    },
    onSuccess: async ({ moved, failed }, { cards, to, isUndo }) => {
      const label = labelOf(board, to)
      // Only the cards that were not moved are shown in their old columns again.
      for (const [status, group] of Map.groupBy(failed, ({ card }) => card.status)) {
        const left = group.map(({ card }) => card)
        await feeds.move(left, status, {})
      }
      const title = `${moved.length} of ${cards.length} moved${isUndo ? ` back to ${label}` : ''}`
      if (failed.length > 0) tellFailed(failed, cards.length, moved.length === 0 ? 'Not moved' : title)
      if (moved.length === 0) return
      if (!isUndo) tellUndoable(`Moved ${cardsWords(moved)} to ${label}`, () => putBack(moved, to), 'moved')
      else if (failed.length === 0) tell(`${cardsWords(moved)} ${moved.length === 1 ? 'is' : 'are'} back in ${label}`)
    },
    onSettled: (outcome, _error, { cards }) => {
      feeds.settle(idsOf(cards), outcome?.failed.length === 0)
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

const idsOf = (cards: readonly Card[]): string[] => cards.map(({ id }) => id)

const cardsWords = (cards: readonly Card[]): string => {
  const [only] = cards
  return only && cards.length === 1 ? `“${only.name}”` : `${cards.length} tasks`
}

const labelOf = ({ columns }: Board, status: TaskStatus): string =>
  columns.find(({ name }) => name === status)?.label ?? status

/**
 * Tells why cards were not moved: in the dialog for missing labels if that is the only reason, otherwise in a message. `count`: how
 * many cards were to be moved.
 */
function tellFailed(failed: readonly Failed[], count: number, title: string): void {
  const [first, ...others] = failed
  const unlabelled = failed.flatMap(({ card, error }) =>
    hasCode(error, 'label_missing') ? [[card.id, error.detail] as const] : [],
  )
  if (unlabelled.length === failed.length) {
    const cards = failed.map(({ card }) => card)
    showBarred(new LabelsMissing(title, new Map(unlabelled)), cards)
  } else if (first) {
    const why = wordsOf(first.error)
    const more = others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'was' : 'were'} not moved.`
    tellError(new Error(count === 1 ? why : `“${first.card.name}”: ${why}${more}`), title)
  }
}

/**
 * Moves cards, each by requests of its own. One request of the API could move a hundred, but from whatever columns they are in: a
 * move by another user, of which this browser does not know yet, would be undone and nobody would notice. A hundred cards therefore
 * take a few seconds instead of less than one. The user need not wait for this, because the columns show the move from the start.
 */
async function moveEach(cards: readonly Card[], to: TaskStatus, board: Board): Promise<Outcome> {
  const outcomes = await forEachTask(cards, 'Moving', (card) => moveOne(card, to, board))
  return {
    moved: cards.filter((_, index) => outcomes[index]?.status === 'fulfilled'),
    failed: cards.flatMap((card, index) => {
      const outcome = outcomes[index]
      return outcome?.status === 'rejected' ? [{ card, error: outcome.reason }] : []
    }),
  }
}

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

/** The members that can be changed on several cards at once; a change contains one of them. */
type ManyChange = { assignee_id: string | null } | { priority: number | null }

/** `updated`: the ids of the changed tasks. `failed`: the error of each other task, or of each request that failed as a whole. */
type Patched = { updated: readonly string[]; failed: readonly unknown[] }

/** Changes tasks by as few requests as possible, one after the other. A request that fails does not keep the next from being sent. */
async function patchMany(ids: readonly string[], patch: TaskPatch): Promise<Patched> {
  const parts = Array.from({ length: Math.ceil(ids.length / taskLimits.bulk) }, (_, part) =>
    ids.slice(part * taskLimits.bulk, (part + 1) * taskLimits.bulk),
  )
  const outcomes = await settleAll(parts, 1, (part) => call('bulkPatchTasks', { body: { ids: part, patch } }))
  return {
    updated: outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.updated.map(({ id }) => id) : [])),
    failed: outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? one.value.failed.map(({ detail }) => new Error(detail)) : [one.reason],
    ),
  }
}

/** `done`: what the message says after the change, such as "Assigned 2 tasks to Mia"; null if the change is an Undo itself. */
type PatchOfMany = { cards: readonly Card[]; change: ManyChange; done: ((cards: string) => string) | null }

/** Returns a function that changes several tasks at once, and then offers to give each task its own former value back. */
export function usePatchMany(): (cards: readonly Card[], change: ManyChange, done: (cards: string) => string) => void {
  const feeds = useFeeds()
  const client = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, change }: PatchOfMany) => patchMany(idsOf(cards), change),
    onMutate: ({ cards, change }) => feeds.change(idsOf(cards), change),
    onSuccess: ({ updated, failed }, { cards, change, done }, undo) => {
      if (failed.length > 0) {
        undo()
        tellError(failed[0], updated.length === 0 ? 'Not changed' : `${updated.length} of ${cards.length} changed`)
      }
      const changed = cards.filter(({ id }) => updated.includes(id))
      if (changed.length === 0) return
      if (done) tellUndoable(done(cardsWords(changed)), () => putBack(changed, change))
      else if (failed.length === 0)
        tell(`${cardsWords(changed)} ${changed.length === 1 ? 'is as it was' : 'are as they were'}`)
    },
    onSettled: (patched, _error, { cards }) => {
      feeds.settle(idsOf(cards), patched?.failed.length === 0)
      for (const { id } of cards) void client.invalidateQueries({ queryKey: ['task', id] })
    },
  })
  const putBack = (cards: readonly Card[], change: ManyChange) => {
    // A task whose value somebody else has changed since then keeps it.
    const ours = cards.filter((card) => {
      const now = feeds.find(card.id)
      return !now || memberOf(now, change) === Object.values(change)[0]
    })
    for (const [value, group] of Map.groupBy(ours, (card) => memberOf(card, change))) {
      const former =
        'priority' in change
          ? { priority: typeof value === 'number' ? value : null }
          : { assignee_id: typeof value === 'string' ? value : null }
      mutate({ cards: group, change: former, done: null })
    }
  }
  return (cards, change, done) => mutate({ cards, change, done })
}

const memberOf = (card: Card, change: ManyChange) => ('priority' in change ? card.priority : card.assignee_id)
