// In charge of comparing the present state of a run with one of its checkpoints. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { sameValue } from '../canvas/diff.ts'
import type { Run } from './queries.ts'

export type RunCheckpoint = CallResult<'readRunCheckpoint'>
type StateThen = RunCheckpoint['nodes'][string]

/**
 * What restoring a checkpoint would do to a node. `undone`: the node has a state now but had none at the checkpoint, and would lose
 * its results. `back`: the node would get back the state `was`.
 */
export type Rewound = { id: string } & ({ kind: 'undone' } | { kind: 'back'; was: StateThen; sameOutputs: boolean })

type Now = Pick<Run, 'nodes' | 'answers' | 'targets'>

export type Rewind = {
  nodes: Rewound[]
  /** The number of nodes that would not change. */
  same: number
  /** Keys of gates or of items of gates: those that would get an earlier answer back, and those that would lose their answer. */
  answersBack: string[]
  answersGone: string[]
  /** The targets that the run had at the checkpoint; null if the targets are the same now. */
  targets: readonly string[] | null
}

/** `order`: all nodes of the run now and at the checkpoint, in display order. */
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

/** Treats the status `cached` like `succeeded`, because for the preview it does not matter where a result came from. */
const look = (status: string): string => (status === 'cached' ? 'succeeded' : status)
