// In charge of the type that lists what the execution of a unit needs from its run, and of saving the result of a unit.
import type { Lock } from '../model/lock.ts'
import type { Answered, Roll } from '../model/marks.ts'
import type { Room } from '../model/run-bounds.ts'
import type { RunModel } from '../model/run-model.ts'
import { hasOutputs, type UnitState } from '../model/units.ts'
import type { RunLease } from '../store/runs.ts'
import { trimTakes } from '../store/takes.ts'
import type { Engine } from './engine.ts'
import type { OutputLookup } from './output-lookup.ts'
import type { Save, Saver } from './saver.ts'

/** The parts of a loaded run that the execution of its units uses. */
export type RunContext = {
  engine: Engine
  runLease: RunLease
  taskId: string | null
  model: RunModel
  saver: Saver
  lookup: OutputLookup
  room: Room
  rolls: ReadonlyMap<string, Roll>
  /** The answers to the run's gates, by unit key, as they were last read from the database. */
  answers(): ReadonlyMap<string, Answered>
  isTarget(nodeId: string): boolean
  signal: AbortSignal
  /**
   * The signal for calls that may cost something or must not be repeated. It is not aborted when the run is lost, since the
   * results of paid calls are stored even then.
   */
  paidSignal: AbortSignal
  /** Aborted once no more calls may begin. */
  beginning: AbortSignal
  /**
   * How many of the units that are being executed only wait: for a slot, for the next attempt, or for outputs that are
   * computed elsewhere.
   */
  waiting: { count: number }
  /** Held by one unit of those that had to wait for a call without a maximum cost: the one that makes the next such call. */
  unboundedTurn: Lock
  /** Whether at most one unit of the run is being executed. */
  isAlone(): boolean
  /** Whether new calls may begin. */
  isAccepting(): boolean
  /** Called with the error of a failed save if no caller awaits that save. */
  unsaved: (reason: unknown) => void
}

/**
 * Saves the new state of a unit, and notes it in `run.model`. If the new state has outputs and the node is not a gate, `unit`
 * is changed at once, without waiting for the save, so that the node's successors can begin; if the save fails later,
 * `run.unsaved` is called with the error. In any other case, `unit` is changed only after the save.
 */
export async function saveResult(
  run: RunContext,
  unit: UnitState,
  change: Partial<UnitState>,
  { cached, ...more }: Omit<Save, 'units'> = {},
  { retryAlone = false, onSaved }: { retryAlone?: boolean; onSaved?: () => void } = {},
): Promise<void> {
  const asked = { ...unit, ...change }
  const tooMuch = hasOutputs(asked) && asked.outputs ? run.room.take(unit, asked.outputs) : null
  // If the result does not fit into the run, the unit fails. If the call may have cost something (it has a ledger entry), its
  // outputs are still stored in the node cache, so that a later start does not pay again. Otherwise they are dropped: they can be
  // made again at no cost, and the items of a run that is full could fill the cache.
  const next = tooMuch === null ? asked : { ...asked, status: 'failed' as const, outputs: null, error: tooMuch }
  const hasResult = hasOutputs(next)
  const isCached = tooMuch === null || (more.closedEntries ?? []).length > 0
  const keep = run.room.takesToKeep()
  const name = unit.position === null ? unit.node : `${unit.node}/${unit.position}`
  const save: Save = {
    units: [next],
    produced: hasResult && run.isTarget(unit.node),
    regenerated: hasResult ? [name] : [],
    ...(keep === null ? {} : { also: (tx) => trimTakes(tx, run.runLease.runId, keep) }),
    ...(cached && (isCached ? { cached } : { released: [cached.key] })),
    ...more,
  }
  // A save that nobody waits for may be delayed a little, so that it shares a commit with others. That is safe, because the
  // saves of successors are written in the same commit or in a later one.
  const goesOn = hasResult && run.model.nodes.get(unit.node)?.type.gate === null
  if (hasResult && cached) run.lookup.remember(cached.key, cached)
  if (!hasResult) run.room.free([unit])
  const saved = run.saver.save(save, { retryAlone, mayWait: goesOn })
  if (goesOn) saved.then(onSaved).catch(run.unsaved)
  else await saved
  Object.assign(unit, next)
  run.model.noteResult(unit)
}
