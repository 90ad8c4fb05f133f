// In charge of the differences between the present state of a run and one of its checkpoints. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { sameValue } from '../canvas/diff.ts'
import type { Run } from './queries.ts'

export type RunCheckpoint = CallResult<'readRunCheckpoint'>
type StateThen = RunCheckpoint['nodes'][string]

/** `undone`: the node got its state after the checkpoint, so this state would be removed. `was`: the state that comes back. */
export type Rewound = { id: string } & ({ kind: 'undone' } | { kind: 'back'; was: StateThen; sameOutputs: boolean })

type Now = Pick<Run, 'nodes' | 'answers' | 'targets'>

export type Rewind = {
  nodes: Rewound[]
  /** The number of nodes that do not change. */
  same: number
  /** Keys of gates, or of their items, whose answers come back or are removed. */
  answersBack: string[]
  answersGone: string[]
  /** The targets of the run at the checkpoint; null if they are the same now. */
  targets: readonly string[] | null
}

/** `order`: the nodes of both states, in display order. */
export function rewindOf(now: Now, was: RunCheckpoint, order: readonly string[]): Rewind {
  const nodes = order.flatMap((id): Rewound[] => {
    const [before, after] = [now.nodes[id], was.nodes[id]]
    if (!after) return before ? [{ id, kind: 'undone' }] : []
    const sameOutputs = before !== undefined && sameValue(before.outputs, after.outputs)
    const isSame = sameOutputs && look(before.status) === look(after.status) && before.error === after.error
    return isSame ? [] : [{ id, kind: 'back', was: after, sameOutputs }]
  })
  const known = order.filter((id) => id in now.nodes || id in was.nodes).length
  return {
    nodes,
    same: known - nodes.length,
    answersBack: Object.keys(was.answers).filter((key) => !sameValue(was.answers[key], now.answers[key])),
    answersGone: Object.keys(now.answers).filter((key) => !(key in was.answers)),
    targets: sameValue(now.targets, was.targets) ? null : was.targets,
  }
}

/** Treats a cached result like a new one: the difference does not matter for the preview. */
const look = (status: string): string => (status === 'cached' ? 'succeeded' : status)
