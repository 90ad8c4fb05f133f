// In charge of when to try again what could not be sent: when the service can be reached again, and from time to time until then.
import { isUnreachable } from './errors.ts'
import { onReachable } from './live-connection.ts'

const mostPauseMs = 30_000

/** How many ms to wait for the next attempt after so many failed ones: two seconds, then twice as long each time, up to a limit. */
export const pauseAfter = (failures: number): number => Math.min(mostPauseMs, 1000 * 2 ** failures)

/** What could not be sent, because of `error`; `failures`: how often so far. */
export type Failure = { error: unknown; failures: number }

/**
 * Calls `act` when the service can be reached again, or after a pause, whichever comes first. The pause is needed if the service has
 * answered that it cannot do it now, for example because its disk is full: the live connection then stays open, and so does not
 * tell when that is over. After the session has ended there is none, as only a sign-in can help. Returns a function that stops this.
 */
export function tryAgainLater({ error, failures }: Failure, act: () => void): () => void {
  const stop = onReachable(act)
  const timer = isUnreachable(error) ? setTimeout(act, pauseAfter(failures)) : undefined
  return () => {
    stop()
    clearTimeout(timer)
  }
}
