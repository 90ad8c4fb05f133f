// In charge of one call of a node: its time limit, its retries, and what its failure means.
import { randomUUID } from 'node:crypto'
import { type Cost, type NodeContext, NodeFailure, type NodeResult, type NodeType } from '../../nodes/node-type.ts'
import { shortText } from '../../nodes/short-text.ts'
import { isFilesUnavailable } from '../../platform/byte-store.ts'
import { jsonSize, outputsTooLarge } from '../model/json-size.ts'

/** Why a call is aborted, or not begun: its worker stops. */
export class Stopping extends Error {}

/**
 * A call that has failed and is not attempted again. `outcome` and `cost` have the same meaning as in `NodeFailure`; with the
 * outcome `paid`, the call cost `credits` but returned nothing usable. `toLog`: an error that shows a bug of the
 * node type or an outage of the file store; null for any other failure.
 */
export type CallFailure = {
  kind: 'failed'
  error: string
  outcome: NodeFailure['outcome']
  credits: number
  cost?: Cost | null | undefined
  attempts: number
  toLog: unknown
}
/**
 * `stopped`: the call was aborted before its result was known, or another attempt might not begin; `outcome` says whether the
 * provider may have done the work by then.
 */
export type CallOutcome =
  | { kind: 'result'; result: NodeResult; attempts: number }
  | CallFailure
  | { kind: 'stopped'; reason: unknown; outcome: 'none' | 'unknown' }

const maxAttempts = 4
const maxBackoffSeconds = 60

export type Runnable = Extract<NodeType, { gate: null }>

/**
 * Waits this number of seconds before another attempt; `busy`: the provider accepts no calls until then. Rejects at once if no
 * more attempts may begin.
 */
export type Pause = (seconds: number, busy: boolean) => Promise<void>

/** `beginning`: a signal that is aborted once no more attempts may begin, also if an attempt in progress may still end. */
type CallLimits = { pause: Pause; outputLimit: number; beginning: AbortSignal }

/**
 * Calls a node until a call succeeds or must not be attempted again. Another attempt is made, up to `maxAttempts`, only if the
 * failure says that it may help, and only if the provider did nothing or the type is safe to repeat.
 */
export async function callNode(
  type: Runnable,
  context: NodeContext,
  { pause, outputLimit, beginning }: CallLimits,
): Promise<CallOutcome> {
  let outcome: 'none' | 'unknown' = 'none'
  const stopped = (now: typeof outcome, { reason }: AbortSignal): CallOutcome => ({
    kind: 'stopped',
    reason,
    outcome: outcome === 'unknown' ? outcome : now,
  })
  for (let attempts = 1; ; attempts++) {
    if (beginning.aborted) return stopped('none', beginning)
    try {
      const result = await withinTime(type, context)
      const problem = outputProblem(type, result, outputLimit)
      if (problem === null) return { kind: 'result', result, attempts }
      return failed(useless(problem, type.estimate(context.params, context.inputs).least, result), outcome, attempts)
    } catch (error) {
      if (context.signal.aborted) return stopped('unknown', context.signal)
      const failure = asFailure(error, type)
      if (failure.outcome === 'unknown') outcome = 'unknown' // whatever later attempts do: this one may have been paid for
      const mayRepeat = failure.again !== null && (failure.outcome === 'none' || type.retry_safe)
      if (!mayRepeat || attempts === maxAttempts) return failed(failure, outcome, attempts)
      await backOff(failure, attempts, context, pause).catch((reason: unknown) => {
        if (!beginning.aborted) throw reason
      })
    }
  }
}

/** The failure of a call that returned outputs which cannot be stored; the failure has the price of the call. */
function useless(problem: string, least: number, { credits = least, cost }: NodeResult): NodeFailure {
  return new NodeFailure(problem, { credits, ...(cost === undefined ? {} : { cost }) })
}

function failed(failure: NodeFailure, before: 'none' | 'unknown', attempts: number): CallOutcome {
  // Messages may quote what the node was given, which can be long, or hold characters that the database cannot store.
  const words = shortText(failure.message)
  return {
    kind: 'failed',
    error: attempts > 1 ? `${words} (tried ${attempts} times)` : words,
    outcome: failure.outcome === 'paid' ? 'paid' : before,
    credits: failure.credits,
    cost: failure.cost,
    attempts,
    toLog: failure instanceof NodeBug || isFilesUnavailable(failure.cause) ? failure.cause : null,
  }
}

async function backOff({ message, again }: NodeFailure, attempts: number, context: NodeContext, pause: Pause) {
  const seconds = Math.min(Math.max(again?.afterSeconds ?? 0, 2 ** attempts / 4), maxBackoffSeconds)
  context.progress(0, `${message} Trying again in ${Math.ceil(seconds)} s.`)
  await pause(seconds, again?.busy === true)
}

/** The failure of a call that threw something else than a `NodeFailure`: that shows a bug of the node type. */
class NodeBug extends NodeFailure {}

/**
 * Executes the node within its time limit. A node that ignores its abort signal is not waited for. The node gets a signal of its own,
 * on which it may leave listeners: on a signal that `AbortSignal.any` composes, a listener would keep the run's data in memory for as
 * long as the process lives, because Node.js keeps such a signal alive, and the signal of paid calls is never aborted.
 */
async function withinTime(type: Runnable, context: NodeContext): Promise<NodeResult> {
  const call = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true })
  })
  aborted.catch(() => undefined)
  const stop = (): void => call.abort(context.signal.reason)
  const timer = setTimeout(() => {
    const tooLong = `It took longer than ${type.timeoutSeconds} s. Try again, or give it less to do.`
    call.abort(new NodeFailure(tooLong, { outcome: 'unknown' }))
  }, type.timeoutSeconds * 1000)
  context.signal.addEventListener('abort', stop, { once: true })
  if (context.signal.aborted) stop()
  try {
    return await Promise.race([type.run({ ...context, signal: call.signal }), aborted])
  } finally {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', stop)
  }
}

/**
 * Converts a thrown value to a failure. If it shows a bug, or that files cannot be used here, both the message for people and the
 * cause, which the caller logs, contain the same new id.
 */
function asFailure(error: unknown, type: Runnable): NodeFailure {
  if (error instanceof NodeFailure) return error
  const id = randomUUID()
  const words = isFilesUnavailable(error)
    ? `Files cannot be read or written here: their disk is full, or their store is away (id ${id} in the log).`
    : `The node type ${type.type} failed inside (id ${id} in the log). An operator can look it up.`
  return new NodeBug(words, {
    outcome: 'unknown',
    cause: new Error(`The node type ${type.type} threw what is no NodeFailure; shown as ${id}.`, { cause: error }),
  })
}

/**
 * Says what is wrong with outputs; null if nothing is. Outputs are stored as JSON, so values that the database cannot store
 * have to become an error of the node.
 */
function outputProblem(type: Runnable, { outputs }: NodeResult, outputLimit: number): string | null {
  const strange = Object.keys(outputs).find((port) => !(port in type.outputs))
  if (strange !== undefined) return `The node gave something at “${strange}”, a port its type does not have.`
  if (jsonSize(outputs) > outputLimit) return outputsTooLarge(outputLimit) // checked before creating the text, which may be huge
  const text = JSON.stringify(outputs)
  if (Buffer.byteLength(text) > outputLimit) return outputsTooLarge(outputLimit)
  // The search for “\u” comes first, because the regular expression is much slower and only few texts need it.
  const isEscaped = text.includes('\\u') && /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/i.test(text)
  if (!text.isWellFormed() || isEscaped) {
    return 'The outputs hold characters that are no text (NUL or lone surrogates). Clean the text before this node.'
  }
  return null
}
