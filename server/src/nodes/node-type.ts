// In charge of the interface between node types and the engine: the description for the API, and the function that runs a node.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeVersion } from '@atelier/contract/graph/node-types.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'

/** Reads and writes the files of a node by digest; files with the same bytes are stored once. */
export type NodeFiles = {
  read(digest: string): Promise<Buffer>
  write(bytes: Uint8Array, mediaType: string, name?: string): Promise<FileValue>
}

/** What the engine passes to a call of a node. */
export type NodeContext = {
  /** Validated against the type's schema, with defaults filled in. */
  params: Record<string, unknown>
  /** Port → value. An optional port without a value is absent. */
  inputs: Record<string, unknown>
  /**
   * The key of the call, as 64 hexadecimal digits: a hash of the type, the params, the inputs, the roll and, for an item, its
   * number among equal items of the node. Empty for a type that uses no keys.
   */
  seed: string
  /**
   * The idempotency key to send to a provider: the id of this unit's ledger entry in this generation of the run (each start,
   * re-roll or rewind begins another one). So it is the same in every attempt of a generation. A call that is free and safe to
   * retry has no ledger entry; its `unit` is a random id.
   */
  unit: string
  /**
   * Aborted when the call must stop: the run was cancelled, the time limit of the attempt has passed, or this process stops. A free
   * call that is safe to retry is also aborted when this worker loses its lease on the run. Pass it to every function that waits.
   */
  signal: AbortSignal
  /** The data that an earlier attempt at this unit saved, possibly in an earlier generation; null if there is none. */
  checkpoint: Record<string, unknown> | null
  /**
   * Saves the data that a later attempt needs in order to continue instead of paying again. The promise resolves when the data is
   * stored.
   */
  saveCheckpoint(value: Record<string, unknown>): Promise<void>
  /** Reports progress; `fraction` is from 0 to 1. */
  progress(fraction: number, message?: string): void
  files: NodeFiles
  /** The id of the task for which the run was started; null if the run is for no task. */
  taskId: string | null
}

export type NodeResult = {
  /** Port → value. A port that is absent has no value, and nodes that need its value are skipped. */
  outputs: Record<string, unknown>
  /** The price of the call in credits. If absent: the `least` of the type's `estimate` for this call. */
  credits?: number
  /**
   * The money paid for the call; null: not known. If absent: what the type's `cost` gave for the call, if that is a fixed amount
   * (`least` equals `most`), and otherwise not known.
   */
  cost?: Cost | null
  message?: string
}

/**
 * The amount paid, in millionths of the currency. `by` is the source of that number: the provider's statement, the usage that the
 * provider reports, or the price list. `least`: the amount is only a lower bound.
 */
export type Cost = { amount: number; by: 'provider' | 'usage' | 'price' | 'least' }

/**
 * What one call of a model may cost, in millionths of a currency. `most` is null if no upper bound is known. `isKnown`: whether the
 * model has a known price.
 */
export type CallCost = { model: string; currency: string; least: number; most: number | null; isKnown: boolean }

/** What a call may cost, in credits. `most` is null if no upper bound is known. */
export type CreditRange = { least: number; most: number | null }

/** The part of a node type that asks a person and waits; the outputs of the node follow from the person's answer. */
type Gate = {
  /** The request to a person: JSON with a `kind` (`choose`, `approve`, `edit`). If it changes, an earlier answer is not used. */
  ask(context: Pick<NodeContext, 'params' | 'inputs'>): Record<string, unknown>
  /** The outputs that follow from an answer, or the errors in the answer; `loc` of an error is its path inside the answer. */
  accept(
    request: Record<string, unknown>,
    answer: unknown,
  ): { outputs: Record<string, unknown> } | { errors: ValidationError[] }
}

/**
 * A node type. `version` and `implementation` are part of the cache key. Raise `implementation` when a change of the code gives
 * other outputs for the same params and inputs; otherwise the cache returns outputs of the old code.
 */
export type NodeType = Omit<NodeVersion, 'gate' | 'available' | 'unavailable_reason' | 'replaced_by'> & {
  implementation: string
  /** Whether the outputs also depend on `NodeContext.seed`. The engine then computes the seed even if the type is not cached. */
  seeded: boolean
  /** The maximum number of parallel calls of this type in one process. Calls to a provider have the provider's limit instead. */
  concurrency: number
  /** The time limit of one attempt at a call; a call may have several attempts. */
  timeoutSeconds: number
  /**
   * Whether a call, before it sends a job, asks the provider for a job that an earlier attempt has sent, and continues with that.
   * So a later attempt does not pay again, even if the worker crashed before it saved a checkpoint.
   */
  asksFirst: boolean
  /** The reason why this deployment cannot run the type; null if it can. */
  unavailable(): string | null
  /** Provider and model, as in cache keys and in names of limits; null: the call uses no provider that this deployment has. */
  provider(params: Record<string, unknown>): string | null
  /** What a call with these inputs may cost in credits; `inputs` is null while the inputs are not known. */
  estimate(params: Record<string, unknown>, inputs: Record<string, unknown> | null): CreditRange
  /** What a call may cost in money; null if no provider is paid for the call. */
  cost(params: Record<string, unknown>, inputs: Record<string, unknown> | null): CallCost | null
} & ({ gate: Gate; run?: never } | { gate: null; run(context: NodeContext): Promise<NodeResult> })

/**
 * A type that was removed. Its nodes are still shown, but no run with them can start. `replaced_by` is its successor; null: none.
 */
export type DroppedType = { type: string; version: number; replaced_by: { type: string; version: number } | null }

/** Finds a type of exactly this version. */
export type FindType = (type: string, version: number) => NodeType | undefined

/** The name of one version of a type. Workers list the versions that they can run; runs list those that they need. */
export const versionName = ({ type, version }: { type: string; version: number }): string => `${type}@${version}`

/**
 * Thrown by a call that fails. The message is for people: what went wrong, and what to do.
 * `again`: another attempt may succeed after `afterSeconds` (with `busy`, the provider accepts no calls at all before that);
 * null: another attempt would not help.
 * `outcome`: `none`: nothing was done and nothing must be paid; `unknown`: the provider may have done the work; `paid`: the
 * provider did the work, but the result cannot be used, and `credits` is its price.
 */
export class NodeFailure extends Error {
  readonly again: Again | null
  readonly outcome: 'none' | 'unknown' | 'paid'
  readonly credits: number
  readonly cost: Cost | null | undefined
  constructor(message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause })
    this.again = options.again ?? null
    this.credits = options.credits ?? 0
    this.cost = options.cost
    this.outcome = options.outcome ?? (this.credits > 0 ? 'paid' : 'none')
  }
}

/** The reason with which the signal of a call is aborted if a person cancelled the run: nobody needs the result any more. */
export class Cancelled extends Error {}

type Again = { afterSeconds: number; busy?: boolean }
/** With `credits` above 0, the outcome is `paid`. `cost` has the same meaning as in `NodeResult`. */
type FailureOptions = { again?: Again; cause?: unknown } & (
  | { outcome?: 'none' | 'unknown'; credits?: never; cost?: never }
  | { outcome?: never; credits: number; cost?: Cost | null }
)
