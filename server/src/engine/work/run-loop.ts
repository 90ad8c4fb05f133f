// In charge of executing a claimed run: it schedules nodes as they become ready and executes their units, until the run ends
// or is parked.
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { Cancelled } from '../../nodes/node-type.ts'
import { chunksOf, type Size } from '../../platform/chunks.ts'
import type { Db } from '../../platform/db.ts'
import { inSpan, type NewSpan } from '../../platform/tracing/spans.ts'
import { keyOf } from '../model/keys.ts'
import { createLock } from '../model/lock.ts'
import type { Roll } from '../model/marks.ts'
import { createRoom, heldLimit, tooLargeToHold } from '../model/run-bounds.ts'
import { createModel, type ReadyUnit, type RunModel } from '../model/run-model.ts'
import { allStale, stalenessOf, typesFingerprint } from '../model/staleness.ts'
import { inPieces, turn, withTurnsOf } from '../model/turns.ts'
import { hashOf, hasOutputs, type UnitName, type UnitState, unitKey } from '../model/units.ts'
import { readAnswers, readRolls } from '../store/marks.ts'
import { readSummaries } from '../store/node-summaries.ts'
import { readSizes, stateBytes } from '../store/run-sizes.ts'
import { forgetFingerprint, LostRun, type RunLease, type RunRow } from '../store/runs.ts'
import { takesBytes } from '../store/takes.ts'
import { readSeed, readUnits } from '../store/unit-store.ts'
import { completeRun, endForSure, park, releaseForShutdown } from '../transitions/rest.ts'
import { Stopping } from './call.ts'
import type { Engine } from './engine.ts'
import { executeUnit } from './execute-node.ts'
import { createOutputLookup } from './output-lookup.ts'
import { retryWhileUnavailable } from './retry-while-unavailable.ts'
import { createSaver, type Save } from './saver.ts'
import { createStopper, type StopSignal } from './stop-signal.ts'
import type { RunContext } from './unit-result.ts'

/** The execution of a run, as its worker controls it. */
export type Execution = {
  readonly runLease: RunLease
  /** Resolves when the worker has finished with the run, whatever the result. */
  readonly done: Promise<void>
  /**
   * Whether this process does nothing for the run, because all units that are being executed only wait: for a slot, for the
   * next attempt, or for outputs that are computed elsewhere.
   */
  isIdle(): boolean
  /** The worker calls this when the run does not belong to it any more; another worker may already have the run. */
  onLeaseLost(): void
  cancel(): void
  /** Passes on how many answers people have given to the run so far. */
  answered(count: number): void
  /** Begins no more calls; calls in progress may end, until `abort` is called. */
  stop(): void
  abort(): void
}

const notExecuted = 'a run could not be executed; it is tried again'

type Ending = (tx: Db, unkept: boolean) => Promise<void>

/**
 * Executes a run. If the execution ends with an error other than the failure of a node, the run's row stays as it is: the
 * reconciler finds that heartbeats are missing and requeues the run, a limited number of times. `trace`: the `traceparent` of
 * the request that started the run; null if it is unknown.
 */
export function executeRun(engine: Engine, run: RunRow, trace: string | null = null): Execution {
  const runLease: RunLease = { runId: run.id, generation: run.generation, lease: run.lease }
  const stopper = createStopper()
  const stopSignal = stopper.signal
  const answerCount = { given: run.answers_given, seen: run.answers_given }
  let stopping = false
  let current: Loop | null = null

  /**
   * Gives back a run in which nothing is in progress: requeues, ends or parks it. Returns false if the run cannot be parked,
   * because an answer or a cancel has arrived.
   */
  const leave = async (loop: Loop): Promise<boolean> => {
    const { database, queue, crash } = engine
    const end = (work: Ending) => retryWhileUnavailable(() => endForSure(engine, run.id, work))
    if (stopping) {
      await end((tx, unkept) => releaseForShutdown(tx, queue, runLease, { unkept }))
    } else if (stopSignal.signal.aborted || loop.isOver()) {
      crash('before-rest')
      const typesFingerprint = loop.isOver() ? loop.types : null
      await end((tx, unkept) => completeRun(tx, runLease, { typesFingerprint, unkept }))
      crash('rested')
    } else {
      crash('before-park')
      if (!(await retryWhileUnavailable(() => database.tx((tx) => park(tx, runLease, answerCount.seen))))) return false
      crash('parked')
    }
    return true
  }
  const drive = async (): Promise<void> => {
    if (await endIfTooLarge(engine, runLease)) return
    const loop = createLoop(await load(engine, run, runLease, stopSignal), stopSignal)
    current = loop
    const hasNews = (): boolean => answerCount.given !== answerCount.seen && stopSignal.isAccepting()
    for (;;) {
      if (hasNews()) {
        answerCount.seen = answerCount.given
        await loop.takeAnswers()
      }
      await loop.runUntilIdle(hasNews)
      if (hasNews()) continue
      if (await leave(loop)) return
      // Reads whether people have answered or cancelled meanwhile, rather than waiting for the next heartbeat to report it.
      const requests = await readRequests(engine, run.id)
      answerCount.given = requests?.answers_given ?? answerCount.given
      if (requests?.cancel_requested_at) abort(new Cancelled())
    }
  }

  const done = withTurnsOf(run.id, () => inSpan('run', () => spanOf(run, trace), drive))
    .catch((error: unknown) => {
      if (!isLoss(error, stopSignal.signal)) engine.log.error({ err: error, run: run.id }, notExecuted)
    })
    .finally(() => {
      abort(new LostRun())
      return current?.ended()
    })
  const abort = (reason: Error): void => {
    stopper.abort(reason)
    current?.wake()
  }

  return {
    runLease,
    done,
    isIdle: () => current?.isIdle() === true,
    onLeaseLost: () => abort(new LostRun()),
    cancel: () => abort(new Cancelled()),
    answered: (count) => {
      answerCount.given = count
      current?.wake()
    },
    stop: () => {
      stopping = true
      stopper.refuse(new Stopping())
      current?.wake()
    },
    abort: () => {
      stopping = true
      abort(new Stopping())
    },
  }
}

const spanOf = ({ id, generation }: RunRow, trace: string | null): NewSpan => ({
  kind: 'consumer',
  parent: trace,
  attributes: { 'atelier.run.id': id, 'atelier.run.generation': generation },
})

/**
 * Whether an error only means that the worker has lost the run. A timer that was waiting when the run was lost rejects with
 * an AbortError.
 */
const isLoss = (error: unknown, { reason }: AbortSignal): boolean =>
  error instanceof LostRun || (reason instanceof LostRun && error instanceof Error && error.name === 'AbortError')

function readRequests({ database }: Engine, id: string) {
  const columns = ['answers_given', 'cancel_requested_at'] as const
  return retryWhileUnavailable(() =>
    database.main.selectFrom('runs').select(columns).where('id', '=', id).executeTakeFirst(),
  )
}

/**
 * Ends a run that is too large to be loaded, and returns whether it was. Does not read the run's results, for which the memory
 * might not be enough.
 */
async function endIfTooLarge(engine: Engine, runLease: RunLease): Promise<boolean> {
  const bytes = await retryWhileUnavailable(() => stateBytes(engine.database.main, runLease.runId))
  if (bytes <= heldLimit) return false
  const refusal = tooLargeToHold(bytes)
  await retryWhileUnavailable(() =>
    endForSure(engine, runLease.runId, (tx, unkept) => completeRun(tx, runLease, { unkept, refusal })),
  )
  return true
}

type Loop = {
  /** Executes all units that are ready or become ready meanwhile. Returns early if `interrupted` returns true. */
  runUntilIdle(interrupted: () => boolean): Promise<void>
  /** Reads the answers again, and executes those gates whose open questions now have an answer. */
  takeAnswers(): Promise<void>
  isOver(): boolean
  /** The same as `isIdle` of the execution. */
  isIdle(): boolean
  /** Resolves once no unit is being executed, and every save was written or has failed, even if the run is lost. */
  ended(): Promise<void>
  wake(): void
  /** The fingerprint of the run's node types (`typesFingerprint`), as this process has them. */
  types: string
}

/** A run in memory. `reread` reads all answers again, into `context.answers`. */
type Loaded = { context: RunContext; reread(): Promise<void>; types: string }

async function load(engine: Engine, run: RunRow, runLease: RunLease, stopSignal: StopSignal): Promise<Loaded> {
  const { database } = engine
  const definition = readDefinition(run.definition)
  const { seed_run_id } = run
  const scope = neededFor(definition, run.targets)
  const types = typesFingerprint(definition, engine.find)
  // If the node types have changed, the stored fingerprint is removed before any of their results is saved. Otherwise a
  // process with the earlier types could later take such a result for valid.
  if (run.types_fingerprint !== null && run.types_fingerprint !== types)
    await retryWhileUnavailable(() => forgetFingerprint(database.main, runLease))
  const [rolls, given, summaries] = await retryWhileUnavailable(() =>
    Promise.all([
      readRolls(database.main, run.id),
      readAnswers(database.main, run.id),
      run.types_fingerprint === types ? readSummaries(database.main, run.id) : null,
    ]),
  )
  const staleness = summaries ? stalenessOf(definition, scope, summaries) : allStale(scope)
  const wholeNodes = new Set([...scope].filter((id) => !staleness.upToDate.has(id) && !staleness.partial.has(id)))
  const [units, seed, sizes, takes] = await retryWhileUnavailable(() =>
    Promise.all([
      readUnits(database.main, run.id, staleness.needs),
      seed_run_id && wholeNodes.size > 0 ? readSeed(database.main, seed_run_id, heldLimit, { whole: wholeNodes }) : [],
      readSizes(database.main, run.id),
      takesBytes(database.main, run.id),
    ]),
  )
  const answers = { current: byUnit(given) }
  const rollOf = byUnit(rolls)
  const sinks = new Set(Object.keys(definition.nodes))
  for (const { from } of definition.edges) sinks.delete(from.node)
  const targets = run.targets.length > 0 ? new Set(run.targets) : sinks

  const model: RunModel = createModel({
    definition,
    targets: run.targets,
    find: engine.find,
    known: new Map(units.map((unit) => [unitKey(unit), resumed(unit)])),
    staleness,
    rolls: rollOf,
    stillHolds: (work) => work.unit.generation === run.generation || isStillMade(work, rollOf),
  })
  const saver = createSaver(engine, runLease)
  const context: RunContext = {
    engine,
    runLease,
    taskId: run.task_id,
    model,
    saver,
    lookup: createOutputLookup(database, seed ?? [], takes > 0 ? run.id : null),
    room: createRoom(engine.resultLimit, sizes, takes),
    rolls: rollOf,
    answers: () => answers.current,
    isTarget: (id) => targets.has(id),
    unsaved: () => undefined,
    isAlone: () => false,
    waiting: { count: 0 },
    unboundedTurn: createLock(),
    ...stopSignal,
  }
  const reread = async (): Promise<void> => {
    answers.current = byUnit(await retryWhileUnavailable(() => readAnswers(database.main, run.id)))
  }
  return { context, reread, types }
}

/**
 * The maximum number of units in one save. A save is never split into several transactions, and on the embedded database
 * other requests wait until a transaction has ended, so a save must not be too large.
 */
const savedAtOnce: Size = { count: 200, bytes: 0 }

type ScheduledChanges = { changed: readonly UnitState[]; gone: readonly UnitName[]; produced: boolean }

/**
 * Splits changes into saves: items come first, and the nodes' own units are in the last save. Until its own unit is saved, a
 * node stays stale; so if this worker dies in between, the next one checks all items of the node again.
 */
function savesOf({ changed, gone, produced }: ScheduledChanges): Save[] {
  const units = changed.map((unit) => ({ ...unit }))
  const [own, items] = [units.filter(({ item }) => item === ''), units.filter(({ item }) => item !== '')]
  const parts = [...chunksOf(items, savedAtOnce, () => ({ count: 1, bytes: 0 }))]
  return [...parts.map((part) => ({ units: part })), { units: own, gone, produced }]
}

function createLoop({ context, reread, types }: Loaded, stopSignal: StopSignal): Loop {
  const { model, saver } = context
  const asking = new Map<string, ReadyUnit>()
  const executing = new Set<Promise<void>>()
  let isScheduling = false
  let thrown: { reason: unknown } | null = null
  let moves = 0
  let moved = Promise.withResolvers<void>()
  const wake = (): void => {
    moves += 1
    moved.resolve()
    moved = Promise.withResolvers<void>()
  }
  const noteThrown = (reason: unknown): void => {
    if (!(reason instanceof Cancelled) && !(reason instanceof Stopping)) thrown ??= { reason }
  }
  const rethrow = (): void => {
    if (thrown) throw thrown.reason
  }
  context.unsaved = (reason) => {
    noteThrown(reason)
    wake()
  }
  context.isAlone = () => executing.size <= 1

  const begin = (work: ReadyUnit): void => {
    asking.delete(unitKey(work.unit))
    const one = executeUnit(context, work)
      .then(() => {
        if (work.unit.status === 'awaiting_input') asking.set(unitKey(work.unit), work)
      }, noteThrown)
      .finally(() => {
        executing.delete(one)
        wake()
      })
    executing.add(one)
  }
  const schedule = async (): Promise<void> => {
    const { work, changed, gone, kept } = await model.schedule()
    const produced = kept.some(({ node }) => context.isTarget(node))
    context.room.free([...gone, ...changed.filter((unit) => !hasOutputs(unit))])
    if (changed.length + gone.length > 0 || produced)
      for (const save of savesOf({ changed, gone, produced })) saver.save(save).catch(noteThrown)
    await inPieces(work, begin, stopSignal.isAccepting)
  }
  const dispatch = async (): Promise<void> => {
    isScheduling = true
    await schedule().finally(() => {
      isScheduling = false
    })
  }

  return {
    wake,
    async runUntilIdle(interrupted) {
      for (;;) {
        const [seen, next] = [moves, moved.promise]
        if (stopSignal.isAccepting()) await dispatch()
        if (executing.size === 0) await saver.flush()
        rethrow()
        if (interrupted()) break
        if (moves !== seen) continue // `wake` was called meanwhile, so there may be more to schedule
        if (executing.size === 0) break
        await next
      }
      if (stopSignal.isAccepting() && executing.size === 0 && asking.size === 0 && !model.isOver()) {
        throw new Error('The run has units left that are never executed.')
      }
    },
    takeAnswers: async () => {
      await reread()
      for (const work of [...asking.values()]) {
        const answer = context.answers().get(unitKey(work.unit))
        if (answer && answer.asked === hashOf(work.unit.request)) begin(work)
      }
    },
    isOver: () => model.isOver(),
    isIdle: () => !isScheduling && executing.size > 0 && context.waiting.count === executing.size,
    ended: () => Promise.all(executing).then(() => saver.flush()),
    types,
  }
}

/**
 * Whether a unit's result of an earlier generation is still valid: the result has outputs, the node's type is cacheable or pure
 * and no gate, and a call of the unit would now have the same key.
 */
const isStillMade = async (work: ReadyUnit, rolls: ReadonlyMap<string, Roll>): Promise<boolean> => {
  const { type } = work.node
  const isRepeatable = !type.gate && (type.cacheable || type.pure)
  if (!isRepeatable || !hasOutputs(work.unit)) return false
  await turn()
  return work.unit.cacheKey === (await keyOf(work, rolls))
}

const byUnit = <T extends { node: string; item: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [unitKey(one), one]))

/**
 * Returns the state that a stored unit has at the beginning of a new execution. A unit that was running when its worker was
 * lost becomes pending, and keeps its attempts and its checkpoint; units in any other status, also open questions, stay as
 * they are.
 */
const resumed = (unit: UnitState): UnitState => (unit.status === 'running' ? { ...unit, status: 'pending' } : unit)
