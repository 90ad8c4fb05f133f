// In charge of deleting and restoring tasks. A deletion is shown at once, and a message offers to undo it. If a task cannot be
// restored, because names of its creatives now belong to other creatives, the dialog for new names opens.
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { call } from '../lib/api.ts'
import { hasCode } from '../lib/errors.ts'
import { createStore, useStore } from '../lib/store.ts'
import type { Card } from '../lib/types.ts'
import { forgetDeleted, tell, tellDeleted, tellError } from '../ui/toasts.tsx'
import { type Conflicted, type Named, withConflicts, withoutTask } from './conflicts.ts'
import { galleryKey } from './feed-query.ts'
import { forEachTask } from './many-tasks.ts'
import { forgetSelected } from './selection.ts'
import { labelOf } from './undo-starts.ts'
import { boardWrite, inCardTurn, useFeeds } from './use-feeds.ts'
import { cardsWords, idsOf } from './use-move.ts'

const conflicted = createStore<readonly Conflicted[]>([])
export const useConflicted = (): Conflicted | undefined => useStore(conflicted, ([first]) => first)
export const leaveDeleted = (id: string): void => conflicted.set(withoutTask(conflicted.get(), id))

/** `shown` resolves when the columns show the deletion. */
type Deletion = { cards: readonly Card[]; shown: Promise<unknown> }

/** Returns a function that deletes tasks: they leave the board at once, and those that could not be deleted appear again. */
export function useDelete(): (cards: readonly Card[]) => void {
  const feeds = useFeeds()
  const client = useQueryClient()
  const restore = useRestore()
  const { mutate } = useMutation({
    mutationKey: boardWrite,
    mutationFn: ({ cards }: Deletion) =>
      inCardTurn(idsOf(cards), () => writeEach(cards, 'Deleting', (params) => call('deleteTask', { params }))),
    onMutate: async ({ shown }) => void (await shown),
    onSuccess: async ({ done, failures }, { cards }) => {
      // Only the cards that were not deleted are shown in their columns again.
      for (const { task } of failures) await feeds.move([task], task.status, {})
      const [failure] = failures
      if (failure)
        tellError(failure.error, done.length === 0 ? 'Not deleted' : `${done.length} of ${cards.length} deleted`)
      const deleted = done.map(({ task }) => task)
      const undo = (left: ReadonlySet<string>) => void restore(deleted.filter(({ id }) => left.has(id)))
      if (deleted.length > 0) tellDeleted(`Deleted ${cardsWords(deleted)}`, idsOf(deleted), undo)
    },
    onSettled: (outcome, _error, { cards }) => {
      feeds.settle(idsOf(cards), outcome?.failures.length === 0)
      readAgain(client, cards)
    },
  })
  return useCallback(
    (given) => {
      // Leaves out tasks that another user has deleted meanwhile; otherwise Undo would restore them too. `given` may be older than
      // that deletion, as at the end of a drag, so the cards on the board are looked at.
      const cards = given.filter((card) => (feeds.find(card.id) ?? card).deleted_at === null)
      if (cards.length === 0) return
      forgetSelected(idsOf(cards))
      mutate({ cards, shown: feeds.move(cards, 'deleted', { deleted_at: new Date().toISOString() }) })
    },
    [feeds, mutate],
  )
}

/** `done`: the tasks that were written, each with the answer. `failures`: the other tasks, each with its error. */
type Outcome<T, A> = { done: readonly { task: T; answer: A }[]; failures: readonly { task: T; error: unknown }[] }

async function writeEach<T extends Named, A>(
  tasks: readonly T[],
  doing: string,
  write: (params: { task_id: string }) => Promise<A>,
): Promise<Outcome<T, A>> {
  const outcomes = await forEachTask(tasks, doing, async (task) => ({
    task,
    answer: await write({ task_id: task.id }),
  }))
  return {
    done: outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
    failures: tasks.flatMap((task, at) => {
      const one = outcomes[at]
      return one?.status === 'rejected' ? [{ task, error: one.reason }] : []
    }),
  }
}

/**
 * Returns a function that restores tasks, and then returns whether all of them are back. For tasks whose creatives need new names, it
 * opens the dialog that asks for them. A task whose deletion is under way is restored as soon as it is deleted.
 */
export function useRestore(): (tasks: readonly Named[]) => Promise<boolean> {
  const feeds = useFeeds()
  const client = useQueryClient()
  const { mutateAsync } = useMutation({
    mutationKey: boardWrite,
    mutationFn: (tasks: readonly Named[]) =>
      inCardTurn(idsOf(tasks), () => writeEach(tasks, 'Restoring', (params) => call('restoreTask', { params }))),
    onSuccess: ({ done, failures }, tasks) => {
      for (const { task } of done) {
        leaveDeleted(task.id)
        forgetDeleted(task.id)
      }
      const [failure] = failures.filter(({ task, error }) => !isConflict(error, task))
      const [only] = tasks
      const isOne = only !== undefined && tasks.length === 1
      const words = `${done.length} of ${tasks.length} tasks are back`
      if (failure) tellError(failure.error, isOne ? `“${only.name}” was not restored` : words)
      else if (!isOne) tell(done.length === tasks.length ? `${tasks.length} tasks are back` : words)
      else if (done[0]) tell(`“${only.name}” is back in ${labelOf(client, done[0].answer.status)}`)
    },
    onSettled: (outcome, _error, tasks) => {
      feeds.settle(idsOf(tasks), outcome?.failures.length === 0)
      readAgain(client, tasks)
    },
  })
  return useCallback(
    async (tasks) => tasks.length > 0 && (await mutateAsync(tasks)).failures.length === 0,
    [mutateAsync],
  )
}

/** Whether a task was not restored because names of its creatives are taken; if so, also opens the dialog for new names. */
function isConflict(error: unknown, task: Named): boolean {
  if (!hasCode(error, 'creative_name_taken')) return false
  conflicted.set(withConflicts(conflicted.get(), { task, conflicts: error.conflicts }))
  return true
}

/** Reads again what a deletion or a restore changes beside the columns. */
function readAgain(client: QueryClient, tasks: readonly Named[]): void {
  for (const { id } of tasks) {
    for (const key of ['creatives', 'activity']) void client.invalidateQueries({ queryKey: [key, id] })
  }
  void client.invalidateQueries({ queryKey: galleryKey })
}
