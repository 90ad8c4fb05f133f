// In charge of logging what repeated work meets: what the database cannot do just now when it begins and when it is over, and a bug
// every time.
import { isOverloaded, isUnavailable } from '../../platform/db.ts'
import type { Log } from '../../platform/log.ts'
import { wordsOf } from '../../platform/operator-error.ts'

type What = { run?: string; provider?: string }

export type Trouble = {
  /** Logs an error of the turn; `what` says which work met it. */
  met(error: unknown, what?: What): void
  /** To be called at the end of each turn, also of one that has met an error. */
  turned(): void
}

/** `away`: what is logged when the database begins to fail; `bug`: the message for every other error. */
export function createTrouble(log: Log, words: { away: string; bug: string }): Trouble {
  let lasts = false
  let isMet = false
  return {
    met(error, what = {}) {
      if (!isUnavailable(error) && !isOverloaded(error)) return log.error({ err: error, ...what }, words.bug)
      // The log needs no stack: what is wrong is the database or the way to it, whichever statement met it.
      if (!lasts) log.warn({ why: wordsOf(error), ...what }, words.away)
      lasts = true
      isMet = true
    },
    turned() {
      if (lasts && !isMet) {
        lasts = false
        log.info('the database does again what the worker asks of it')
      }
      isMet = false
    },
  }
}

const notReconciled = 'lost, cancelled or waiting runs could not be reconciled; it is tried again'

export const reconcilingTrouble = (log: Log): Trouble => createTrouble(log, { away: notReconciled, bug: notReconciled })
