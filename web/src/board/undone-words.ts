// In charge of the words for what an Undo of a change of several tasks will start, and for what it has done. Pure.
import type { Automation } from '../lib/types.ts'

/**
 * `what`: all tasks that were to be put back, as in “Tea” or 3 tasks; `all` is their number. `back`: how many are as they were before.
 * `left`: how many were left as they are, because somebody else has changed them.
 */
export function undoneWords(what: string, back: number, left: number, all: number): string {
  if (back === all) return `${what} ${all === 1 ? 'is as it was' : 'are as they were'}`
  if (back === 0 && left === all) return `Nothing was undone: somebody has changed ${what} meanwhile`
  const first = back === 0 ? 'Not undone' : `${back} of ${what} ${back === 1 ? 'is as it was' : 'are as they were'}`
  if (left === 0) return first
  const why = 'because somebody has changed'
  return `${first}; ${left} ${left === 1 ? `stays as it is, ${why} it` : `stay as they are, ${why} them`}`
}

/**
 * What to say beside an Undo of a move: whether it may start automations, which may be paid, since a task that is moved back enters
 * its column anew. Empty if no automation waits for tasks there. `from`: the statuses that the tasks go back to.
 */
export function startsAgainWords(
  from: ReadonlySet<string>,
  automations: readonly Pick<Automation, 'enabled' | 'on_status'>[],
  labelOf: (status: Automation['on_status']) => string,
): string {
  const live = automations.flatMap((one) => (one.enabled && from.has(one.on_status) ? [one.on_status] : []))
  const labels = [...new Set(live)].map(labelOf)
  return labels.length === 0 ? '' : `. Undo may start the automations of ${labels.join(' and ')}`
}
