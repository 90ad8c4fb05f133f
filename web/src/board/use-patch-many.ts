// In charge of changing a member of several tasks at once, and of undoing that. Changes are shown before the service responds; if the
// service refuses a change, it is undone and a message is shown.
import { taskLimits } from '@atelier/contract/task-limits.ts'
import type { TaskPatch } from '@atelier/contract/tasks.ts'
import { useMutation } from '@tanstack/react-query'
import { call, callTagged } from '../lib/api.ts'
import { ChangedMeanwhile, ifMatch, writeChecked } from '../lib/conflict.ts'
import { settleAll } from '../lib/pool.ts'
import type { Card } from '../lib/types.ts'
import { taskOf } from '../lib/types.ts'
import { tell, tellError, tellUndoable } from '../ui/toasts.tsx'
import { forEachTask } from './many-tasks.ts'
import { readCards } from './read-cards.ts'
import { undoneWords } from './undone-words.ts'
import { boardWrite, useFeeds } from './use-feeds.ts'
import { cardsWords, idsOf } from './use-move.ts'

/** The members that can be changed on several cards at once; a change contains one of them. */
type ManyChange = { assignee_id: string | null } | { priority: number | null }

/**
 * `updated`: the tasks that were changed, as they were before. `failed`: the error of each other task, or of each request that failed
 * as a whole.
 */
type Patched = { updated: readonly Card[]; failed: readonly unknown[] }

/**
 * Changes cards. Nobody tells of changes by others to those that are `unseen`, on pages that are not loaded; they are read first,
 * because Undo gives each card its former value back.
 */
async function patchCards(cards: readonly Card[], unseen: readonly Card[], change: ManyChange): Promise<Patched> {
  try {
    const read = new Map((await readCards(unseen)).map((card) => [card.id, card]))
    const { updated, failed } = await patchMany(idsOf(cards), change)
    const written = new Set(updated)
    return { updated: cards.filter(({ id }) => written.has(id)).map((card) => read.get(card.id) ?? card), failed }
  } catch (error) {
    return { updated: [], failed: [error] }
  }
}

/** Changes tasks by as few requests as possible, one after the other. A request that fails does not keep the next from being sent. */
async function patchMany(ids: readonly string[], patch: TaskPatch) {
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

/**
 * Gives a task the value back that it had before `change`, unless it has another one by now than `change` gave it. Cards contain no
 * revision, so the task is read first.
 */
async function putBackOne(card: Card, change: ManyChange): Promise<void> {
  const params = { task_id: card.id }
  await writeChecked({
    read: () => callTagged('getTask', { params }),
    check: (answer) => {
      const now = taskOf(answer)
      if (now.deleted_at !== null || memberOf(now, change) !== Object.values(change)[0]) throw new ChangedMeanwhile()
    },
    write: (etag) => call('patchTask', { params, body: formerOf(card, change), headers: ifMatch(etag) }),
  })
}

/** `done`: what the message says after the change, such as "Assigned 2 tasks to Mia". */
type PatchOfMany = {
  cards: readonly Card[]
  /** Those of the cards that are on no loaded page. */
  unseen: readonly Card[]
  change: ManyChange
  done: (cards: string) => string
}

/** Returns a function that changes several tasks at once, and then offers to give each task its own former value back. */
export function usePatchMany(): (cards: readonly Card[], change: ManyChange, done: (cards: string) => string) => void {
  const feeds = useFeeds()
  const putBack = usePutBack()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, unseen, change }: PatchOfMany) => patchCards(cards, unseen, change),
    onMutate: ({ cards, change }) => feeds.change(idsOf(cards), change),
    onSuccess: ({ updated, failed }, { cards, change, done }, undo) => {
      if (failed.length > 0) {
        undo(idsOf(updated))
        tellError(failed[0], updated.length === 0 ? 'Not changed' : `${updated.length} of ${cards.length} changed`)
      }
      if (updated.length > 0) tellUndoable(done(cardsWords(updated)), () => putBack({ cards: updated, change }))
    },
    onSettled: (patched, _error, { cards }) => {
      feeds.settle(idsOf(cards), patched?.failed.length === 0)
    },
  })
  return (cards, change, done) => {
    const unseen = cards.filter(({ id }) => feeds.find(id) === undefined)
    mutate({ cards, unseen, change, done })
  }
}

/** Returns a function that undoes `change` of the cards, which are as they were before it. */
function usePutBack(): (undo: { cards: readonly Card[]; change: ManyChange }) => void {
  const feeds = useFeeds()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards, change }: { cards: readonly Card[]; change: ManyChange }) =>
      forEachTask(cards, 'Undoing', (card) => putBackOne(card, change)),
    onMutate: async ({ cards, change }) => {
      for (const group of Map.groupBy(cards, (card) => memberOf(card, change)).values()) {
        const [first] = group
        if (first) await feeds.change(idsOf(group), formerOf(first, change))
      }
    },
    onSuccess: (outcomes, { cards }) => {
      const back = cards.filter((_, index) => outcomes[index]?.status === 'fulfilled')
      const reasons = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      const failed = reasons.filter((reason) => !(reason instanceof ChangedMeanwhile))
      const words = undoneWords(cardsWords(cards), back.length, reasons.length - failed.length, cards.length)
      if (failed.length > 0) tellError(failed[0], words)
      else tell(words)
    },
    onSettled: (outcomes, _error, { cards }) => {
      feeds.settle(idsOf(cards), outcomes?.every(({ status }) => status === 'fulfilled') ?? false)
    },
  })
  return mutate
}

const memberOf = (task: Pick<Card, 'priority' | 'assignee_id'>, change: ManyChange) =>
  'priority' in change ? task.priority : task.assignee_id

const formerOf = ({ priority, assignee_id }: Card, change: ManyChange): ManyChange =>
  'priority' in change ? { priority } : { assignee_id }
