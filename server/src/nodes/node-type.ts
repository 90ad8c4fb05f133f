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
   * The key of the call, as 64 hexadecimal digits: it is the same for the same params, inputs, occurrence among equal items, and
   * roll. Empty for a type that uses no keys.
   */
  seed: string
  /**
   * For use as an idempotency key: the id of the ledger entry of this unit in this generation of the run, the same in every
   * attempt. A call without an entry, which is free and safe to retry, has a random id.
   */
  unit: string
  /**
   * Aborted when the call is not to go on: the run was cancelled, the time limit has passed, this process stops, or, for a free
   * call that is safe to retry, this worker has lost the run. Pass the signal to everything that waits.
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
  /** The price of the call in credits. If absent, the least that the type declares. */
  credits?: number
  /** The amount of money paid; null where it is not known. If absent, the call's fixed price applies, where it has one. */
  cost?: Cost | null
  message?: string
}

/**
 * The amount paid, in millionths of the currency. `by` is the source of that number: the provider's statement, the usage that the
 * provider reports, or the price list. `least`: the amount is only a lower bound.
 */
export type Cost = { amount: number; by: 'provider' | 'usage' | 'price' | 'least' }

/**
 * What one call of a model may cost, in millionths of a currency. `most` is null where there is no known upper bound. `isKnown`:
 * whether the model has a known price.
 */
export type CallCost = { model: string; currency: string; least: number; most: number | null; isKnown: boolean }

/** What a call may cost, in credits. `most` is null where there is no known upper bound. */
export type CreditRange = { least: number; most: number | null }

/** A node that pauses for a person. Its outputs follow from the person's answer. */
type Gate = {
  /** The request to a person: JSON with a `kind` (`choose`, `approve`, `edit`). An answer is valid for this request only. */
  ask(context: Pick<NodeContext, 'params' | 'inputs'>): Record<string, unknown>
  /** The outputs for an answer, or the errors in it; `loc` is the path inside the answer. */
  accept(
    request: Record<string, unknown>,
    answer: unknown,
  ): { outputs: Record<string, unknown> } | { errors: ValidationError[] }
}

/**
 * A node type. `version` and `implementation` are part of the cache key. Raise `implementation` when the same params and inputs
 * lead to other outputs, so that the cache does not return old results.
 */
export type NodeType = Omit<NodeVersion, 'gate' | 'available' | 'unavailable_reason' | 'replaced_by'> & {
  implementation: string
  /** Whether the outputs also depend on the seed. Each call then needs its key as the seed, even if its type is not cached. */
  seeded: boolean
  /** The maximum number of parallel calls in one process, for types without a provider. Provider limits apply across processes. */
  concurrency: number
  /** The maximum time of one attempt at a call. */
  timeoutSeconds: number
  /**
   * Whether a call, before it sends anything, asks the provider for the job of an earlier attempt. A later attempt then does not
   * pay again, even if a crash has lost the checkpoint.
   */
  asksFirst: boolean
  /** The reason why this deployment cannot run the type; null where it can. */
  unavailable(): string | null
  /** Provider and model, as they appear in cache keys and in the names of limits; null for a type that uses no provider. */
  provider(params: Record<string, unknown>): string | null
  /** What a call with these inputs may cost in credits; `inputs` is null while the inputs are not known. */
  estimate(params: Record<string, unknown>, inputs: Record<string, unknown> | null): CreditRange
  /** What a call may cost in money; null where the call is paid to no provider. */
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
 * Thrown by a call that fails, with a sentence that says what went wrong and what to do.
 * `again`: a later attempt may succeed after this number of seconds (`busy`: the provider accepts no calls at all until then);
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

/** The abort reason of a call's signal where the run was cancelled, so that the result is not needed any more. */
export class Cancelled extends Error {}

type Again = { afterSeconds: number; busy?: boolean }
/** With `credits` above 0, the outcome is `paid`. `cost` has the same meaning as in a result. */
type FailureOptions = { again?: Again; cause?: unknown } & (
  | { outcome?: 'none' | 'unknown'; credits?: never; cost?: never }
  | { outcome?: never; credits: number; cost?: Cost | null }
)
