// In charge of summing up the state of a node in a run for the node's card. As long as the summary of a node does not change, it is
// the same object, so that its card is not drawn again. Pure.
import type { NodeStatus } from '@atelier/contract/enums.ts'
import { type FileValue, filesIn } from '@atelier/contract/graph/definition.ts'
import type { NodeRunState } from '@atelier/contract/graphs.ts'

export type RunBrief = {
  status: NodeStatus
  progress: number
  items: { total: number; done: number; failed: number } | null
  credits: number
  files: readonly FileValue[]
}

const shown = 3

function briefOf(state: NodeRunState): RunBrief {
  const items = Object.values(state.items)
  return {
    status: state.status,
    progress: state.progress,
    items:
      items.length === 0
        ? null
        : {
            total: items.length,
            done: items.filter(({ status }) => isOver(status)).length,
            failed: items.filter(({ status }) => status === 'failed').length,
          },
    credits: state.credits_consumed,
    files: firstPictures(state),
  }
}

export const isOver = (status: NodeStatus): boolean =>
  status !== 'pending' && status !== 'running' && status !== 'awaiting_input'

/** The first pictures among the outputs of a node. Of a list, only the first 12 of perhaps thousands of elements are searched. */
function firstPictures({ outputs }: NodeRunState): FileValue[] {
  const found = new Map<string, FileValue>()
  for (const value of Object.values(outputs)) {
    for (const file of filesIn(Array.isArray(value) ? value.slice(0, 12) : value))
      if (file.media_type.startsWith('image/')) found.set(file.digest, file)
  }
  return [...found.values()].slice(0, shown)
}

/**
 * Creates a function that returns a summary of each node's state. If the summary of a node has not changed since the function was
 * last called, the function returns the same object for that node again.
 */
export function createBriefs() {
  type Kept = { state: NodeRunState; text: string; brief: RunBrief }
  let kept = new Map<string, Kept>()
  return (nodes: Readonly<Record<string, NodeRunState>>): ReadonlyMap<string, RunBrief> => {
    const next = new Map<string, Kept>()
    for (const [id, state] of Object.entries(nodes)) {
      const before = kept.get(id)
      if (before?.state === state) {
        next.set(id, before)
        continue
      }
      const brief = briefOf(state)
      const text = JSON.stringify(brief)
      next.set(id, before?.text === text ? { ...before, state } : { state, text, brief })
    }
    kept = next
    return new Map([...next].map(([id, { brief }]) => [id, brief]))
  }
}
