// In charge of the order of the transactions of one history: only one is open at a time, and the history's seed draws the next.
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../../src/platform/db.ts'
import { randomNumbers } from '../random.ts'

const current = new AsyncLocalStorage<Turns>()

/** A queue of transactions that want to start; the next one is drawn at random. */
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

  /** Waits one turn of the event loop before drawing, so that other transactions can join the queue. */
  async #draw(): Promise<void> {
    if (this.#isTaken) return
    this.#isTaken = true
    await nextTurn()
    const [next] = this.#waiting.splice(Math.floor(this.#random() * this.#waiting.length), 1)
    if (next) next()
    else this.#isTaken = false
  }
}

/** Performs a history: its transactions on handles made by `inTurn` run one at a time, in an order drawn by the seed. */
export const interleaved = <T>(seed: number, history: () => Promise<T>): Promise<T> =>
  current.run(new Turns(seed), history)

/** A handle whose transactions, within `interleaved`, wait for their turn. Closing the handle leaves the database open. */
export const inTurn = (database: Database): Database => ({
  ...database,
  tx: (work) => {
    const turns = current.getStore()
    return turns ? turns.have(() => database.tx(work)) : database.tx(work)
  },
  close: async () => undefined,
})
