// In charge of a checkpoint of a run in the form of the contract: the state that the run would have after returning to it. Pure.
import type { RunCheckpoint } from '@atelier/contract/runs.ts'
import type { UnitState } from '../../engine/model/units.ts'
import { answersForDisplay } from '../../engine/read/answers-for-display.ts'
import { nodeState, splitNode } from '../../engine/read/node-json.ts'
import type { Checkpoint } from '../../engine/store/checkpoints.ts'
import type { RunContent } from '../../engine/transitions/history.ts'
import { restingStatus } from '../../engine/transitions/states.ts'

/** `units`: as they were at the checkpoint. */
export function checkpointToWire(
  { at, kind }: Checkpoint,
  { definition, ui_state, targets, status, error, answers }: Omit<RunContent, 'units'>,
  units: readonly UnitState[],
): RunCheckpoint {
  const nodes = [...Map.groupBy(units, ({ node }) => node)].map(([id, ones]) => [id, nodeThen(ones)] as const)
  return {
    at,
    kind,
    definition,
    ui_state,
    targets,
    status: restingStatus(status),
    error,
    nodes: Object.fromEntries(nodes),
    answers: answersForDisplay(answers, units),
  }
}

/** A node as it was at the checkpoint; checkpoints do not store times. */
function nodeThen(units: readonly UnitState[]): RunCheckpoint['nodes'][string] {
  const timeless = units.map((unit) => ({ ...unit, startedAt: null, finishedAt: null }))
  const { own, items } = splitNode(timeless)
  const { status, outputs, error } = nodeState(timeless)
  return { status, outputs, error, items: own.itemCount === null ? null : items.length }
}
