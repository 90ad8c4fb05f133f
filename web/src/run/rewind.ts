// In charge of comparing the present state of a run with one of its checkpoints. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { sameValue } from '../canvas/diff.ts'
import type { Run } from './queries.ts'

export type RunCheckpoint = CallResult<'readRunCheckpoint'>
type StateThen = RunCheckpoint['nodes'][string]

/** `undone`: the node has results only since the checkpoint, and would lose them. `back`: the node would get the state `was`. */
export type Rewound = { id: string } & ({ kind: 'undone' } | { kind: 'back'; was: StateThen; sameOutputs: boolean })

type Now = Pick<Run, 'nodes' | 'answers' | 'targets'>

export type Rewind = {
  nodes: Rewound[]
  /** The number of nodes that would not change. */
  same: number
  /** Keys of gates, or of items of gates: `answersBack` would get an earlier answer back, `answersGone` would lose theirs. */
  answersBack: string[]
  answersGone: string[]
  /** The targets that the run had at the checkpoint; null if it has the same ones now. */
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

/** Treats a result from the cache like a new one, because the difference does not matter for the preview. */
const look = (status: string): string => (status === 'cached' ? 'succeeded' : status)
