// In charge of the parts of a run that the execution of its units uses, and of saving the result of a unit.
import type { Answered, Roll } from '../model/marks.ts'
import type { Room } from '../model/run-bounds.ts'
import type { RunModel } from '../model/run-model.ts'
import { hasOutputs, type UnitState } from '../model/units.ts'
import type { RunLease } from '../store/runs.ts'
import { trimTakes } from '../store/takes.ts'
import type { Engine } from './engine.ts'
import type { OutputLookup } from './output-lookup.ts'
import type { Save, Saver } from './saver.ts'

/** What the execution of a unit needs from its run. */
export type RunContext = {
  engine: Engine
  runLease: RunLease
  taskId: string | null
  model: RunModel
  saver: Saver
  lookup: OutputLookup
  room: Room
  rolls: ReadonlyMap<string, Roll>
  /** The present answers; later calls include answers given since. */
  answers(): ReadonlyMap<string, Answered>
  isTarget(nodeId: string): boolean
  signal: AbortSignal
  /** For calls that may cost something: not aborted when the run is lost, since their results are stored even then. */
  paidSignal: AbortSignal
  /** How many units only wait for something outside this process, and do nothing in it. */
  waiting: { count: number }
  /** Whether only one unit of the run is being executed. */
  isAlone(): boolean
  /** Whether new calls may begin. */
  isAccepting(): boolean
  /** Called if a save fails for which no caller waits. */
  unsaved: (reason: unknown) => void
}

/** Saves the new state of a unit, and passes it to the model. */
export async function saveResult(
  run: RunContext,
  unit: UnitState,
  change: Partial<UnitState>,
  more: Omit<Save, 'units'> = {},
  { retryAlone = false, onSaved }: { retryAlone?: boolean; onSaved?: () => void } = {},
): Promise<void> {
  const asked = { ...unit, ...change }
  const tooMuch = hasOutputs(asked) && asked.outputs ? run.room.take(unit, asked.outputs) : null
  // The result does not fit into the run. The call stays paid for, and its cached outputs stay in the cache.
  const next = tooMuch === null ? asked : { ...asked, status: 'failed' as const, outputs: null, error: tooMuch }
  const hasResult = hasOutputs(next)
  const keep = run.room.takesToKeep()
  const name = unit.position === null ? unit.node : `${unit.node}/${unit.position}`
  const save: Save = {
    units: [next],
    produced: hasResult && run.isTarget(unit.node),
    regenerated: hasResult ? [name] : [],
    ...(keep === null ? {} : { also: (tx) => trimTakes(tx, run.runLease.runId, keep) }),
    ...more,
  }
  // A result (except a gate's) may wait to be saved with others; its successors are saved later in any case.
  const goesOn = hasResult && run.model.nodes.get(unit.node)?.type.gate === null
  const saved = run.saver.save(save, { retryAlone, mayWait: goesOn })
  if (goesOn) saved.then(onSaved).catch(run.unsaved)
  else await saved
  Object.assign(unit, next)
  run.model.noteResult(unit)
}
