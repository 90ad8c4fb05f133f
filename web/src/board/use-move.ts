// In charge of moving cards to another column. A move is shown before the service responds; if the service refuses it, it is undone
// and a message is shown.

import type { TaskStatus } from '@atelier/contract/enums.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'
import { ifMatch, writeChecked } from '../lib/conflict.ts'
import { hasCode, wordsOf } from '../lib/errors.ts'
import type { Card } from '../lib/types.ts'
import { taskOf } from '../lib/types.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { LabelsMissing, showBarred } from './barred.ts'
import { type Board, useBoard } from './board-context.ts'
import { forEachTask } from './many-tasks.ts'
import { focusCard } from './selection.ts'
import { readAutomations, undoStarts } from './undo-starts.ts'
import { boardWrite, inCardTurn, useFeeds } from './use-feeds.ts'

/** Thrown if somebody else has moved, deleted or changed the task since this browser read its card; `message` says which. */
class MovedMeanwhile extends Error {}

/**
 * `shown` resolves when the columns show the move. `isUndo`: the user has undone a move, and the cards go back to the column where
 * they were before.
 */
type Move = { cards: readonly Card[]; to: TaskStatus; shown: Promise<unknown>; isUndo: boolean }

type Failed = { card: Card; error: unknown }
type Outcome = { moved: readonly Card[]; failed: readonly Failed[] }

export function useMove(): (cards: readonly Card[], to: TaskStatus) => void {
  const client = useQueryClient()
  const feeds = useFeeds()
  const board = useBoard()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: async ({ cards, to, isUndo }: Move) => {
      const known = isUndo ? null : readAutomations(client)
      const outcome = await inCardTurn(idsOf(cards), () => moveEach(cards, to, board))
      await known
      return outcome
    },
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
      const from = new Set(moved.map(({ status }) => status))
      const words = `Moved ${cardsWords(moved)} to ${label}`
      if (!isUndo) tellUndoable(words + undoStarts(client, from), () => putBack(moved, to), 'moved')
      else if (failed.length === 0) tell(`${cardsWords(moved)} ${moved.length === 1 ? 'is' : 'are'} back in ${label}`)
    },
    onSettled: (outcome, _error, { cards }) => {
      feeds.settle(idsOf(cards), outcome?.failed.length === 0)
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

export const idsOf = (cards: readonly { id: string }[]): string[] => cards.map(({ id }) => id)

export const cardsWords = (cards: readonly Card[]): string => {
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
 * card, the task is not moved.
 */
async function moveOne(card: Card, to: TaskStatus, board: Board): Promise<void> {
  const params = { task_id: card.id }
  await writeChecked({
    read: () => callTagged('getTask', { params }),
    check: (answer) => {
      const { deleted_at, status } = taskOf(answer)
      if (deleted_at !== null) throw new MovedMeanwhile('Somebody deleted it meanwhile; it is in the Deleted column.')
      if (status !== card.status)
        throw new MovedMeanwhile(
          `Somebody moved it to ${labelOf(board, status)} meanwhile. It stays there; move it again if you still want to.`,
        )
    },
    write: (etag) => call('patchTask', { params, body: { status: to }, headers: ifMatch(etag) }),
  })
}
