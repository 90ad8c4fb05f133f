// In charge of deciding how a card shows its task's automation. A queued or running automation is shown as stalled once the timeout
// has passed since it was queued, because its worker may have died; also if no time of queuing is stored. An automation that waits
// for a person's answer never times out. Pure.
import type { RunStatus } from '@atelier/contract/enums.ts'
import type { Card } from '../lib/types.ts'

type AutomationMark = {
  kind: 'alive' | 'waiting' | 'stalled' | 'failed' | 'done'
  label: string
  /** A sentence that explains the label. */
  detail: string
}

export function automationMark(
  { state, error, started_at }: Card['automation'],
  timeoutMs: number,
  now: number,
): AutomationMark | null {
  switch (state) {
    case null:
      return null
    case 'pending':
    case 'running': {
      const alive = started_at !== null && now - Date.parse(started_at) < timeoutMs
      if (alive)
        return {
          kind: 'alive',
          label: state === 'running' ? 'Running' : 'Queued',
          detail: 'Its automation is at work.',
        }
      return {
        kind: 'stalled',
        label: 'Stalled',
        detail: 'Its automation has not reported in time; its worker may have died.',
      }
    }
    case 'awaiting_input':
      return { kind: 'waiting', label: 'Needs an answer', detail: 'Its automation waits for somebody to choose.' }
    case 'succeeded':
      return { kind: 'done', label: 'Automated', detail: 'Its automation has ended well.' }
    case 'failed':
      return { kind: 'failed', label: 'Failed', detail: error ?? 'Its automation has failed.' }
  }
}

/**
 * The run that a click on the mark opens. If the automation waits for a person's answer, it is the newest run that waits for one;
 * otherwise, or if no run waits, it is the newest run. `runs` are the task's runs, newest first.
 */
export function runBehind<R extends { status: RunStatus }>(
  state: Card['automation']['state'],
  runs: readonly R[],
): R | undefined {
  const asking = state === 'awaiting_input' ? runs.find(({ status }) => status === 'awaiting_input') : undefined
  return asking ?? runs[0]
}
