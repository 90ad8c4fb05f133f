// In charge of executing a claimed run: opens nodes as they become ready, performs their units, until it rests or parks.
import { neededFor } from '@atelier/contract/graph/graph-order.ts'
import { readDefinition } from '@atelier/contract/graph/graph-rules.ts'
import { keyOf } from '../model/keys.ts'
import type { Roll } from '../model/marks.ts'
import { createRoom, heldLimit, tooLargeToHold } from '../model/run-bounds.ts'
import { createModel, type RunModel, type Work } from '../model/run-model.ts'
import { allStale, stalenessOf, typesFingerprint } from '../model/staleness.ts'
import { turn, withTurnsOf } from '../model/turns.ts'
import { hashOf, hasOutputs, type UnitState, unitKey } from '../model/units.ts'
import { readAnswers, readRolls } from '../store/marks.ts'
import { readSummaries } from '../store/node-summaries.ts'
import { readSizes, stateBytes } from '../store/run-sizes.ts'
import { forgetFingerprint, type Hold, LostRun, type RunRow } from '../store/runs.ts'
import { takesBytes } from '../store/takes.ts'
import { readSeed, readUnits } from '../store/unit-store.ts'
import { endForSure, finish, giveUp, park } from '../transitions/rest.ts'
import { Cancelled, Stopping } from './call.ts'
import type { Engine } from './engine.ts'
import { type Performance, perform } from './execute-node.ts'
import { createKnownOutputs } from './output-lookup.ts'
import { patiently } from './retry-while-unavailable.ts'
import { createSaver } from './saver.ts'

/** A run under execution, as its worker steers it. */
export type Execution = {
  readonly hold: Hold
  /** Resolved when the worker is done with the run, whatever became of it. */
  readonly done: Promise<void>
  /** Whether nothing of it is under way in this process: all that is left waits for a provider, or for its turn. */
  isIdle(): boolean
  /** The run was given to another worker. */
  lose(): void
  cancel(): void
  /** So many answers have been given to the run. */
  answered(count: number): void
  /** Begins nothing more; what is under way may end until `abort`. */
  stop(): void
  abort(): void
}

/** A worker that meets a bug leaves the run to the sweep: it is tried again, not for ever. */
export function execute(engine: Engine, run: RunRow): Execution {
  const hold: Hold = { runId: run.id, generation: run.generation, lease: run.lease }
  const aborting = new AbortController()
  const abortingPaid = new AbortController()
  const given = { answers: run.answers_given, seen: run.answers_given }
  let stopping = false
  let current: Loop | null = null

  /** Lets go of a run in which nothing is under way; false where there turned out to be more to do. */
  const leave = async (loop: Loop): Promise<boolean> => {
    const { database, queue, crash } = engine
    if (stopping) {
      await patiently(() => endForSure(engine, run.id, (tx, unkept) => giveUp(tx, queue, hold, { unkept })))
    } else if (aborting.signal.aborted || loop.isOver()) {
      crash('before-rest')
      const typesFingerprint = loop.isOver() ? loop.types : null
      await patiently(() => endForSure(engine, run.id, (tx, unkept) => finish(tx, hold, { typesFingerprint, unkept })))
      crash('rested')
    } else {
      crash('before-park')
      if (!(await patiently(() => database.tx((tx) => park(tx, hold, given.seen))))) return false
      crash('parked')
    }
    return true
  }
  const drive = async (): Promise<void> => {
    const gate = {
      signal: aborting.signal,
      paidSignal: abortingPaid.signal,
      open: () => !stopping && !aborting.signal.aborted,
    }
    if (await endIfTooLarge(engine, hold)) return
    const loop = createLoop(await load(engine, run, hold, gate), gate)
    current = loop
    const hasNews = (): boolean => given.answers !== given.seen && gate.open()
    for (;;) {
      if (hasNews()) {
        given.seen = given.answers
        await loop.takeAnswers()
      }
      await loop.settle(hasNews)
      if (hasNews()) continue
      if (await leave(loop)) return
      // What was asked of the run meanwhile; the next beat would tell it, too.
      const asked = await readAsked(engine, run.id)
      given.answers = asked?.answers_given ?? given.answers
      if (asked?.cancel_requested_at) abort(new Cancelled())
    }
  }

  const done = withTurnsOf(run.id, drive)
    .catch((error: unknown) => {
      if (isLoss(error, aborting.signal)) return
      engine.log.error({ err: error, run: run.id }, 'a run could not be executed; it is tried again')
    })
    .finally(() => {
      aborting.abort(new LostRun())
      return current?.ended()
    })
  const abort = (reason: Error): void => {
    if (!(reason instanceof LostRun)) abortingPaid.abort(reason)
    aborting.abort(reason)
    current?.wake()
  }

  return {
    hold,
    done,
    isIdle: () => current?.isIdle() === true,
    lose: () => abort(new LostRun()),
    cancel: () => abort(new Cancelled()),
    answered: (count) => {
      given.answers = count
      current?.wake()
    },
    stop: () => {
      stopping = true
      current?.wake()
    },
    abort: () => {
      stopping = true
      abort(new Stopping())
    },
  }
}

/** Whether a run is not this worker's any more: a wait that the loss ended says so in its own words. */
const isLoss = (error: unknown, { reason }: AbortSignal): boolean =>
  error instanceof LostRun || (reason instanceof LostRun && error instanceof Error && error.name === 'AbortError')

function readAsked({ database }: Engine, id: string) {
  const columns = ['answers_given', 'cancel_requested_at'] as const
  return patiently(() => database.main.selectFrom('runs').select(columns).where('id', '=', id).executeTakeFirst())
}

/** One that is too large ends before it is read: that would take more memory than there may be. */
async function endIfTooLarge(engine: Engine, hold: Hold): Promise<boolean> {
  const bytes = await patiently(() => stateBytes(engine.database.main, hold.runId))
  if (bytes <= heldLimit) return false
  const refusal = tooLargeToHold(bytes)
  await patiently(() => endForSure(engine, hold.runId, (tx, unkept) => finish(tx, hold, { unkept, refusal })))
  return true
}

type Loop = {
  /** Performs all that can be performed now; returns early where `interrupted` says so. */
  settle(interrupted: () => boolean): Promise<void>
  /** Performs again the gates that have an answer. */
  takeAnswers(): Promise<void>
  isOver(): boolean
  /** Whether all that is begun waits for somebody else. */
  isIdle(): boolean
  /** Resolved once nothing is performed any more, be it of a run that is lost. */
  ended(): Promise<void>
  wake(): void
  /** The fingerprint of the node types it performs. */
  types: string
}

type Gate = { signal: AbortSignal; paidSignal: AbortSignal; open(): boolean }

/** What is performed, and a way to see the answers given since. */
type Loaded = { performance: Performance; reread(): Promise<void>; types: string }

async function load(engine: Engine, run: RunRow, hold: Hold, gate: Gate): Promise<Loaded> {
  const { database } = engine
  const definition = readDefinition(run.definition)
  const { seed_run_id } = run
  const scope = neededFor(definition, run.targets)
  const types = typesFingerprint(definition, engine.find)
  // Before anything is made under other node types: nobody takes it for up to date under the old ones then.
  if (run.types_fingerprint !== null && run.types_fingerprint !== types)
    await patiently(() => forgetFingerprint(database.main, hold))
  const [rolls, given, summaries] = await patiently(() =>
    Promise.all([
      readRolls(database.main, run.id),
      readAnswers(database.main, run.id),
      run.types_fingerprint === types ? readSummaries(database.main, run.id) : null,
    ]),
  )
  const staleness = summaries ? stalenessOf(definition, scope, summaries) : allStale(scope)
  const opened = new Set([...scope].filter((id) => !staleness.upToDate.has(id) && !staleness.partial.has(id)))
  const [units, seed, sizes, takes] = await patiently(() =>
    Promise.all([
      readUnits(database.main, run.id, staleness.needs),
      seed_run_id && opened.size > 0 ? readSeed(database.main, seed_run_id, heldLimit, { whole: opened }) : [],
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
    holds: (work) => work.unit.generation === run.generation || isStillMade(work, rollOf),
  })
  const saver = createSaver(engine, hold)
  const performance: Performance = {
    engine,
    hold,
    taskId: run.task_id,
    model,
    saver,
    known: createKnownOutputs(database, seed ?? [], takes > 0 ? run.id : null),
    room: createRoom(engine.resultLimit, sizes, takes),
    rolls: rollOf,
    answers: () => answers.current,
    isTarget: (id) => targets.has(id),
    unsaved: () => undefined,
    waiting: { count: 0 },
    ...gate,
  }
  const reread = async (): Promise<void> => {
    answers.current = byUnit(await patiently(() => readAnswers(database.main, run.id)))
  }
  return { performance, reread, types }
}

function createLoop({ performance, reread, types }: Loaded, gate: Gate): Loop {
  const { model, saver } = performance
  const asking = new Map<string, Work>()
  const performing = new Set<Promise<void>>()
  let isOpening = false
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
  performance.unsaved = (reason) => {
    noteThrown(reason)
    wake()
  }

  const begin = (work: Work): void => {
    asking.delete(unitKey(work.unit))
    const one = perform(performance, work)
      .then(() => {
        if (work.unit.status === 'awaiting_input') asking.set(unitKey(work.unit), work)
      }, noteThrown)
      .finally(() => {
        performing.delete(one)
        wake()
      })
    performing.add(one)
  }
  const dispatch = async (): Promise<void> => {
    isOpening = true
    const { work, changed, gone, kept } = await model.open().finally(() => {
      isOpening = false
    })
    const produced = kept.some(({ node }) => performance.isTarget(node))
    performance.room.free(gone)
    if (changed.length + gone.length > 0 || produced) {
      saver.save({ units: changed.map((unit) => ({ ...unit })), gone, produced }).catch(noteThrown)
    }
    for (const one of work) begin(one)
  }

  return {
    wake,
    async settle(interrupted) {
      for (;;) {
        const [seen, next] = [moves, moved.promise]
        if (gate.open()) await dispatch()
        if (performing.size === 0) await saver.flush()
        rethrow()
        if (interrupted()) break
        if (moves !== seen) continue // something moved meanwhile: there may be more to open
        if (performing.size === 0) break
        await next
      }
      if (gate.open() && performing.size === 0 && asking.size === 0 && !model.isOver()) {
        throw new Error('The run has units left that nobody performs.')
      }
    },
    takeAnswers: async () => {
      await reread()
      const answers = performance.answers()
      for (const work of [...asking.values()]) {
        const answer = answers.get(unitKey(work.unit))
        if (answer && answer.asked === hashOf(work.unit.request)) begin(work)
      }
    },
    isOver: () => model.isOver(),
    isIdle: () => !isOpening && performing.size > 0 && performance.waiting.count === performing.size,
    ended: () => Promise.all(performing).then(() => saver.flush()),
    types,
  }
}

/** A result of an earlier generation holds as long as its call would be the same, and would give the same. */
const isStillMade = async (work: Work, rolls: ReadonlyMap<string, Roll>): Promise<boolean> => {
  const { type } = work.node
  const isRepeatable = !type.gate && (type.cacheable || type.pure)
  if (!isRepeatable || !hasOutputs(work.unit)) return false
  await turn()
  return work.unit.cacheKey === (await keyOf(work, rolls))
}

const byUnit = <T extends { node: string; item: string }>(all: readonly T[]): Map<string, T> =>
  new Map(all.map((one) => [unitKey(one), one]))

/** What a worker that is gone left half done begins anew; its attempts and its checkpoint count. Questions stay open. */
const resumed = (unit: UnitState): UnitState => (unit.status === 'running' ? { ...unit, status: 'pending' } : unit)
