// In charge of what going back to a checkpoint would change about what a run has made. Pure.
import type { CallResult } from '@atelier/contract/wire/calls.ts'
import { sameValue } from '../canvas/diff.ts'
import type { Run } from './queries.ts'

export type RunCheckpoint = CallResult<'readRunCheckpoint'>
type StateThen = RunCheckpoint['nodes'][string]

/** `undone`: it has come to something since, which would be gone. `was` is what comes back. */
export type Rewound = { id: string } & ({ kind: 'undone' } | { kind: 'back'; was: StateThen; sameOutputs: boolean })

type Now = Pick<Run, 'nodes' | 'answers' | 'targets'>

export type Rewind = {
  nodes: Rewound[]
  /** How many nodes stay what they are. */
  same: number
  /** Gates, or items of them, by what happens to their answers. */
  answersBack: string[]
  answersGone: string[]
  /** What was asked for, where that differs. */
  targets: readonly string[] | null
}

/** `order`: all nodes of both, as they are to be listed. */
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

/** Served from the cache or made: to whoever goes back, that is the same. */
const look = (status: string): string => (status === 'cached' ? 'succeeded' : status)
