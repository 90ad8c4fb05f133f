// In charge of converting a run's checkpoint to the form of the contract, which shows the run as it would be after a restore. Pure.
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import type { RunCheckpoint } from '@atelier/contract/runs.ts'
import type { UnitState } from '../../engine/model/units.ts'
import { answersForDisplay } from '../../engine/read/answers-for-display.ts'
import { nodeState, splitNode } from '../../engine/read/node-json.ts'
import type { Checkpoint } from '../../engine/store/checkpoints.ts'
import type { RunContent } from '../../engine/transitions/history.ts'
import { restingStatus } from '../../engine/transitions/states.ts'

/** Converts a checkpoint; `units` are the run's units at the time of the checkpoint. */
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
    answers: answersForDisplay(answers, units, readDefinition(definition)),
  }
}

/** Describes a node at the time of the checkpoint. The description contains no times, so these are not read but set to null. */
function nodeThen(units: readonly UnitState[]): RunCheckpoint['nodes'][string] {
  const timeless = units.map((unit) => ({ ...unit, startedAt: null, finishedAt: null }))
  const { own, items } = splitNode(timeless)
  const { status, outputs, error } = nodeState(timeless)
  return { status, outputs, error, items: own.itemCount === null ? null : items.length }
}
