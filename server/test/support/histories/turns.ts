// In charge of the order in which transactions of one history happen: one at a time, the next drawn by its seed.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../src/platform/db.ts'
import { randomNumbers } from '../random.ts'

const current = new AsyncLocalStorage<Turns>()

/** Who wants a transaction waits here; whoever is next is drawn. */
class Turns {
  readonly #random: () => number
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  constructor(seed: number) {
    this.#random = randomNumbers(seed)
  }

  async have<T>(work: () => Promise<T>): Promise<T> {
    const mine = Promise.withResolvers<void>()
    this.#waiting.push(mine.resolve)
    void this.#draw()
    await mine.promise
    try {
      return await work()
    } finally {
      this.#isTaken = false
      void this.#draw()
    }
  }

  /** A turn of the event loop later, so that others can ask for the same turn. */
  async #draw(): Promise<void> {
    if (this.#isTaken) return
    this.#isTaken = true
    await nextTurn()
    const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1)
    if (next) next()
    else this.#isTaken = false
  }
}

/** Runs a history: transactions that begin in it, on handles made by `inTurn`, are interleaved as the seed says. */
export const interleaved = <T>(seed: number, history: () => Promise<T>): Promise<T> =>
  current.run(new Turns(seed), history)

/** A handle whose transactions wait for their turn. It is closed by whoever made the database. */
export const inTurn = (database: Database): Database => ({
  ...database,
  tx: (work) => {
    const turns = current.getStore()
    return turns ? turns.have(() => database.tx(work)) : database.tx(work)
  },
  close: async () => undefined,
})
