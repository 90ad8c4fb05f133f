// In charge of sending one request for each of several tasks, a few at a time, with a message that tells the progress. Until all are
// done, the browser asks before it closes or reloads the page, which would leave the rest undone and forget how to undo the others.
import { askBeforeClosing } from '../lib/ask-before-closing.ts'
import { settleAll } from '../lib/pool.ts'
import { tellProgress } from '../ui/toasts.tsx'

/** How many requests are sent at the same time. */
const atOnce = 6
const worthTelling = 10

/** Returns the outcomes in the order of the items. `doing`: the beginning of the message, such as "Deleting". */
export async function forEachTask<T, R>(
  items: readonly T[],
  doing: string,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const words = (over: number) => `${doing} ${over} of ${items.length} tasks …`
  const progress = items.length >= worthTelling ? tellProgress(words(0)) : null
  const outcomes = await askBeforeClosing(() => settleAll(items, atOnce, work, (over) => progress?.step(words(over))))
  progress?.end()
  return outcomes
}
