// In charge of the starts that wait for the user's word on their costs: the user is asked about one after the other.
import { createStore, useStore } from '../lib/store.ts'

/** What the user is asked. `why`: the refusal in words. `ask` requests an approval of the start from the admins. */
type Question = { why: string } & ({ kind: 'limit' } | { kind: 'approval'; ask: () => Promise<unknown> })

/**
 * A start that the service refused and that waits for the user. `answer` tries again with a limit in millionths of the currency's
 * unit; null gives the start up. `id` differs from that of all other starts of this page.
 */
export type WaitingStart = Question & { id: number; answer: (limit: number | null) => void }

const waiting = createStore<readonly WaitingStart[]>([])
let lastId = 0

/** Returns the start about which the user is asked now; null if none waits. */
export const firstWaiting = (): WaitingStart | null => waiting.get()[0] ?? null
export const useFirstWaiting = (): WaitingStart | null => useStore(waiting, firstWaiting)

/** Asks the user when all earlier starts have their answers. Resolves to the limit; to null if the start is given up. */
export function askUser(question: Question): Promise<number | null> {
  const { promise, resolve } = Promise.withResolvers<number | null>()
  const id = ++lastId
  const answer = (limit: number | null): void => {
    waiting.set(waiting.get().filter((start) => start.id !== id))
    resolve(limit)
  }
  waiting.set([...waiting.get(), { ...question, id, answer }])
  return promise
}
