// In charge of executing one unit: with the answer to a gate, with outputs that are already known, or with a call.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { Cancelled, type Cost, type NodeContext, NodeFailure, type NodeResult } from '../../nodes/node-type.ts'
import { shortText } from '../../nodes/short-text.ts'
import type { Db } from '../../platform/db.ts'
import { inSpan } from '../../platform/tracing/spans.ts'
import { refuseLargeInputs } from '../model/json-size.ts'
import { keyOf } from '../model/keys.ts'
import type { ReadyUnit } from '../model/run-model.ts'
import { turn } from '../model/turns.ts'
import { hashOf, type UnitState, unitKey } from '../model/units.ts'
import type { KnownResult } from '../store/cache.ts'
import { type ClosedEntry, type Intent, withdrawCall } from '../store/ledger.ts'
import { LostRun } from '../store/runs.ts'
import type { Admission, Admitted } from './admission.ts'
import { type CallFailure, type CallOutcome, callNode, type Pause, type Runnable, Stopping } from './call.ts'
import { type RunContext, saveResult } from './unit-result.ts'
import { acquireSlot, type UnitSlot, whileWaiting } from './unit-slot.ts'
import { unitSpan } from './unit-span.ts'

/**
 * Executes a unit as far as is possible now: until the unit has a result, or is a gate with an open question, or may not begin
 * because the run accepts no more calls. The comment of `saveResult` says when a result changes the unit's state.
 */
export async function executeUnit(run: RunContext, work: ReadyUnit): Promise<void> {
  try {
    await begin(run, work)
  } catch (error) {
    // A `NodeFailure` that arrives here comes from the checks before the call: the unit's params or inputs were refused.
    if (!(error instanceof NodeFailure)) throw error
    await saveResult(run, work.unit, { status: 'failed', error: shortText(error.message) })
  }
}

async function begin(run: RunContext, work: ReadyUnit): Promise<void> {
  const { node, unit } = work
  const { type } = node
  await turn()
  if (!run.isAccepting()) return
  refuseLargeInputs(work.inputs)
  if (type.gate) return answerOrAsk(run, work, type.gate)
  const key = await keyOf(work, run.rolls)
  if (!type.cacheable) return callInSlot(run, work, type, key)
  const known = await run.lookup.find(unit, key, run.isAlone() && run.room.refusal() === null)
  return known ? serve(run, work, key, known) : callInSlot(run, work, type, key)
}

async function answerOrAsk(
  run: RunContext,
  work: ReadyUnit,
  gate: Extract<ReadyUnit['node']['type'], { run?: never }>['gate'],
): Promise<void> {
  const { unit } = work
  const request = gate.ask({ params: work.params, inputs: work.inputs })
  const given = run.answers().get(unitKey(unit))
  const accepted = given?.asked === hashOf(request) ? gate.accept(request, given.answer) : null
  if (accepted && 'outputs' in accepted) {
    return saveResult(run, unit, {
      status: 'succeeded',
      progress: 1,
      outputs: accepted.outputs,
      request: null,
      message: null,
    })
  }
  // A question that is already open is not saved again: an answer, which changes the stored unit, may arrive at any time, and
  // the save would overwrite it.
  const isOpen = unit.status === 'awaiting_input' && hashOf(unit.request) === hashOf(request)
  if (!isOpen) await saveResult(run, unit, { status: 'awaiting_input', request })
}

const serve = (run: RunContext, { unit }: ReadyUnit, key: string, { outputs, message }: KnownResult): Promise<void> =>
  saveResult(run, unit, { status: 'cached', progress: 1, outputs, cacheKey: key, error: null, message })

/** The interval, in milliseconds, at which a waiting unit looks for outputs that are computed elsewhere, and asks again. */
const pollMs = 250

/**
 * Waits for a slot and makes the call, unless outputs for the key are found before the call begins. Only one unit at a time
 * computes the outputs for a key. A unit that waits for these outputs has no slot, so that the computing unit can get one.
 */
async function callInSlot(run: RunContext, work: ReadyUnit, type: Runnable, key: string): Promise<void> {
  let endTurn: (() => void) | null = null
  try {
    for (;;) {
      const obstacle = await tryCall(run, work, type, key)
      if (obstacle === null) return
      if (obstacle === 'unbounded' && endTurn === null) {
        // Of the units that wait for a call without a maximum cost, only the one whose turn it is asks again, until its own
        // call has ended. Hundreds may wait, and each question is a write to the database.
        endTurn = await whileWaiting(run, run.unboundedTurn)
        continue
      }
      if (obstacle === 'held') {
        // Another unit or run computes the outputs for the key, so this unit lets others have their turn meanwhile.
        endTurn?.()
        endTurn = null
      }
      await whileWaiting(run, () => wait(pollMs, undefined, { signal: run.beginning })).catch(() => {
        throw run.beginning.reason
      })
      const known = await run.lookup.find(work.unit, key)
      if (known) return await serve(run, work, key, known)
    }
  } finally {
    endTurn?.()
  }
}

/** Waits for a slot, and makes the call if it is admitted. Returns why the unit has to wait, or null if it does not have to. */
async function tryCall(
  run: RunContext,
  work: ReadyUnit,
  type: Runnable,
  key: string,
): Promise<'held' | 'unbounded' | null> {
  const slot = await acquireSlot(run, work, type)
  try {
    await turn()
    if (!run.isAccepting()) return null
    const noRoom = run.room.refusal()
    // Even if outputs did not fit into the run before, calls that cost nothing are made: their outputs may be small enough.
    if (noRoom !== null && type.estimate(work.params, work.inputs).most !== 0) {
      await saveResult(run, work.unit, { status: 'failed', error: noRoom })
      return null
    }
    const admitted = await askAdmission(run, work, type, key)
    await run.lookup.noteClaim(key, admitted.kind === 'known')
    if (admitted.kind === 'held' || admitted.kind === 'unbounded') return admitted.kind
    if (admitted.kind === 'call') await callAndSave(run, work, type, key, { slot, intent: admitted.intent })
    if (admitted.kind === 'known') await serve(run, work, key, admitted.result)
    if (admitted.kind === 'refused') await saveResult(run, work.unit, { status: 'failed', error: admitted.why })
    return null
  } finally {
    slot.release('unused')
  }
}

/**
 * Asks whether the call may be made. If the call may cost something or must not be repeated, the save that admits it also
 * opens its ledger entry, so that the entry is stored before the call begins.
 */
async function askAdmission(run: RunContext, work: ReadyUnit, type: Runnable, key: string): Promise<Admitted> {
  const estimate = type.estimate(work.params, work.inputs)
  const careful = estimate.most !== 0 || !type.retry_safe
  const admission: Admission = {
    unit: { ...work.unit, status: 'running', cacheKey: key },
    key: type.cacheable ? key : null,
    intent: careful ? { id: uuidv7(), estimate: estimate.least, cost: type.cost(work.params, work.inputs) } : null,
    admitted: { kind: 'call', intent: null },
  }
  // A call that costs nothing and may be repeated, and whose outputs are not cached, needs no admission and begins at once.
  if (admission.key === null && admission.intent === null) return admission.admitted
  await run.saver.save({ units: [], admission })
  if (admission.admitted.kind === 'call' && careful) run.engine.crash('intent-saved')
  return admission.admitted
}

type Calling = { slot: UnitSlot; intent: Intent | null }

async function callAndSave(
  run: RunContext,
  work: ReadyUnit,
  type: Runnable,
  key: string,
  { slot, intent }: Calling,
): Promise<void> {
  const { unit } = work
  const estimate = type.estimate(work.params, work.inputs)
  const careful = intent !== null
  Object.assign(unit, { status: 'running', cacheKey: key })
  if (intent && intent.before !== 'nothing') {
    // An earlier worker of this run has begun the call, and may have stored its outputs in the cache since `begin` read it.
    const known = type.cacheable ? await run.lookup.find(unit, key) : undefined
    if (known) return serve(run, work, key, known)
    const goesOn = type.retry_safe || type.asksFirst || unit.checkpoint !== null
    if (!goesOn) return fail(run, unit, lostBefore(unit, intent), { key, intent })
  }
  if (!careful) run.saver.show(unit)
  const began = performance.now()
  const outcome = await attempt(run, work, type, intent, slot.pause)
  // The slot is released before the result is saved: the next call then need not wait for the commit of the result, and the
  // ledger entry of the next call can even be part of the same commit.
  slot.release(outcome.kind === 'result' ? 'worked' : 'failed')
  if (outcome.kind === 'stopped') {
    await leave(run, unit, { ...outcome, outcome: certain(outcome.outcome, intent, type) }, { key, intent })
    throw outcome.reason
  }
  const durationSeconds = (performance.now() - began) / 1000
  const attempts = unit.attempts + outcome.attempts
  if (outcome.kind === 'failed') {
    if (outcome.toLog)
      run.engine.log.error(
        { err: outcome.toLog, run: run.runLease.runId, node: unit.node },
        'a node type failed inside',
      )
    return fail(
      run,
      unit,
      { ...outcome, outcome: certain(outcome.outcome, intent, type), attempts, durationSeconds },
      { key, intent },
    )
  }
  run.engine.crash('called')
  const { result } = outcome
  const credits = result.credits ?? estimate.least
  await succeeded(run, unit, { result, credits, attempts, durationSeconds, type, key, intent })
}

type SucceededCall = {
  result: NodeResult
  credits: number
  attempts: number
  durationSeconds: number
  type: Runnable
  key: string
  intent: Intent | null
}

function succeeded(run: RunContext, unit: UnitState, made: SucceededCall): Promise<void> {
  const { credits, attempts, durationSeconds, type, key, intent } = made
  const { outputs, cost } = made.result
  const message = made.result.message === undefined ? null : shortText(made.result.message)
  const change: Partial<UnitState> = {
    ...{ status: 'succeeded', progress: 1, outputs, error: null, message, checkpoint: null },
    ...{ credits, durationSeconds, attempts },
  }
  const closedEntries = closedEntriesOf(intent, credits > 0 ? 'paid' : 'none', credits, cost)
  const cached = type.cacheable ? { key, type: type.type, outputs, message, credits } : undefined
  return saveResult(
    run,
    unit,
    change,
    { closedEntries, ...(cached ? { cached } : {}) },
    {
      retryAlone: credits > 0,
      onSaved: () => run.engine.crash('result-saved'),
    },
  )
}

/** Calls the node, with retries. While the call is in progress, its progress and its checkpoints are saved. */
async function attempt(
  run: RunContext,
  work: ReadyUnit,
  type: Runnable,
  intent: Intent | null,
  pause: Pause,
): Promise<CallOutcome> {
  const { unit } = work
  const { beginning } = run
  const { outputLimit } = run.engine
  let over = false
  let unsaved: { reason: unknown } | null = null
  const keep = async (checkpoint: Record<string, unknown>): Promise<void> => {
    unit.checkpoint = checkpoint
    await run.saver.save({ units: [{ ...unit }] }, { retryAlone: true }).catch((reason: unknown) => {
      // If the run is lost, the call goes on without this checkpoint, because the result of a paid call is stored even then.
      if (reason instanceof LostRun) return
      unsaved = { reason }
      throw reason
    })
    run.engine.crash('checkpoint-saved')
  }
  try {
    const context: NodeContext = {
      params: work.params,
      inputs: work.inputs,
      seed: unit.cacheKey ?? '',
      unit: intent?.unit ?? randomUUID(),
      signal: intent === null ? run.signal : run.paidSignal,
      checkpoint: unit.checkpoint,
      saveCheckpoint: keep,
      progress: (fraction, message) => {
        if (over) return
        unit.progress = Math.min(Math.max(fraction, 0), 1)
        if (message !== undefined) unit.message = shortText(message)
        run.saver.show(unit)
      },
      files: run.engine.files,
      taskId: run.taskId,
    }
    const outcome = await inSpan(
      `call ${type.type}`,
      () => unitSpan(run.runLease.runId, unit, type.type),
      async (span) => {
        const ended = await callNode(type, context, { pause, outputLimit, beginning })
        if (ended.kind === 'failed') span?.fail(ended.error)
        if (ended.kind === 'stopped') span?.fail(ended.reason)
        return ended
      },
    )
    return unsaved ? rethrow(unsaved) : outcome
  } finally {
    over = true
  }
}

/**
 * Throws the error of a checkpoint that could not be saved. The error ends the execution of the run, and the unit does not
 * fail: a failed save is no failure of the node, even if the node has caught the error and returned a result.
 */
function rethrow({ reason }: { reason: unknown }): never {
  throw reason
}

const lostBefore = ({ attempts }: UnitState, { before }: Intent): FailedCall => {
  const isPaid = before === 'charged'
  return {
    error: isPaid
      ? 'A worker was lost that had paid for it, and what it was given was not kept. Start the run to pay for it again.'
      : 'A worker was lost in the middle of it.',
    outcome: isPaid ? 'paid' : 'unknown',
    ...{ credits: 0, attempts },
  }
}

/**
 * The outcome to record for a call that failed or was cancelled. Without a ledger entry (`intent` is null), nothing can have
 * been paid. If a lost worker had begun the same call, that attempt may have been paid for, even if this one did nothing,
 * unless the type asks the provider about earlier attempts.
 */
function certain<O extends CallFailure['outcome']>(outcome: O, intent: Intent | null, type: Runnable) {
  if (intent === null) return 'none'
  return !type.asksFirst && intent.before !== 'nothing' && outcome === 'none' ? 'unknown' : outcome
}

/** A call that was begun: its cache key, and what its ledger entry says; null if it has none. */
type Begun = { key: string; intent: Intent | null }

type StoppedCall = Pick<Extract<CallOutcome, { kind: 'stopped' }>, 'reason' | 'outcome'>

type FailedCall = Omit<CallFailure, 'toLog' | 'kind'> & { durationSeconds?: number }

/**
 * Saves the failure of a call. If it is unknown whether the provider did the work, the error says so: the call may have been
 * paid for, and a person decides whether to start the run again.
 */
async function fail(run: RunContext, unit: UnitState, failed: FailedCall, { key, intent }: Begun): Promise<void> {
  const { outcome, attempts, credits, cost, durationSeconds = unit.durationSeconds } = failed
  const error =
    outcome === 'unknown'
      ? `outcome_unknown: ${failed.error} The provider may have done its work, so it was not asked again: look there, then start the run to try anew.`
      : failed.error
  const closedEntries = closedEntriesOf(intent, outcome, credits, cost)
  const change = { status: 'failed', error, attempts, credits, durationSeconds } as const
  await saveResult(run, unit, change, { closedEntries, released: [key] }, { retryAlone: credits > 0 })
}

async function cancelled(
  run: RunContext,
  unit: UnitState,
  outcome: 'none' | 'unknown',
  { key, intent }: Begun,
): Promise<void> {
  const closedEntries = closedEntriesOf(intent, outcome)
  await saveResult(run, unit, { status: 'cancelled' }, { closedEntries, released: [key] })
}

/** Saves what becomes of a call that was stopped. Nothing is saved if the run is lost, or if the next worker has to decide. */
async function leave(run: RunContext, unit: UnitState, { reason, outcome }: StoppedCall, begun: Begun): Promise<void> {
  if (reason instanceof Cancelled) await cancelled(run, unit, outcome, begun)
  if (reason instanceof Stopping && outcome === 'none') await putBack(run, unit, begun)
}

/**
 * Leaves a call to the next worker, because this one stops and no provider has done any work for the call. The ledger entry that
 * this worker has opened for the call is removed: if it stayed, the next worker would have to assume that the call was made. An
 * entry that an earlier worker has opened stays, and so does the entry of a call that has a checkpoint to go on from.
 */
async function putBack(run: RunContext, unit: UnitState, { key, intent }: Begun): Promise<void> {
  if (intent?.before !== 'nothing' || unit.checkpoint !== null) return
  Object.assign(unit, { status: 'pending', progress: 0, message: null })
  const also = (tx: Db) => withdrawCall(tx, run.runLease, intent.unit)
  await run.saver.save({ units: [{ ...unit }], released: [key], also })
}

const entryOutcomes = { none: 'free', unknown: 'unknown', paid: 'charged' } as const

/**
 * The ledger entry of a call with its outcome; none if the call has no entry. A cost in another currency than that of the entry is
 * booked as not known, so that the entry goes on counting at its most.
 */
const closedEntriesOf = (
  intent: Intent | null,
  outcome: CallFailure['outcome'],
  credits = 0,
  said?: Cost | null,
): ClosedEntry[] => {
  if (intent === null) return []
  const cost = said && intent.isOtherCurrency ? null : said
  return [{ entry: intent.unit, outcome: entryOutcomes[outcome], credits, cost }]
}
