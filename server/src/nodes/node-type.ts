// In charge of what a node type is to the engine: the wire's description of it, and what runs when a node of it runs.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import type { NodeVersion } from '@atelier/contract/graph/node-types.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'

/** Bytes of files that a node reads and writes; the same bytes are the same file. */
export type NodeFiles = {
  read(digest: string): Promise<Buffer>
  write(bytes: Uint8Array, mediaType: string, name?: string): Promise<FileValue>
}

/** What a call of a node gets. */
export type NodeContext = {
  /** Checked against the type's schema, its defaults filled in. */
  params: Record<string, unknown>
  /** Port → value. An optional port without a value is absent. */
  inputs: Record<string, unknown>
  /** 64 hexadecimal digits that are the same for the same call: params, inputs, occurrence among equal items, roll. */
  seed: string
  /** Names this unit of work to a provider (an idempotency key): the same for every attempt at it, new in each generation. */
  unit: string
  /** Aborted when the run is cancelled or is no longer this worker's: pass it to every call that waits. */
  signal: AbortSignal
  /** What an earlier attempt at this unit of work saved; null in the first. */
  checkpoint: Record<string, unknown> | null
  /** Keeps what a later attempt needs to go on rather than pay again; resolved once it is on disk. */
  saveCheckpoint(value: Record<string, unknown>): Promise<void>
  /** `fraction` from 0 to 1. */
  progress(fraction: number, message?: string): void
  files: NodeFiles
  /** The task the run was started for. */
  taskId: string | null
}

export type NodeResult = {
  /** Port → value. A port that is left out has no value: what needs it is skipped. */
  outputs: Record<string, unknown>
  /** What it cost; the least the type declares where left out. */
  credits?: number
  /** What was paid for it in money; null where nobody says. Left out: the fixed price, if there is one. */
  cost?: Cost | null
  message?: string
}

/**
 * What was paid, in millionths, and how that is known: from the provider, from the usage, from the price list. `least`: the call
 * may have cost more.
 */
export type Cost = { amount: number; by: 'provider' | 'usage' | 'price' | 'least' }

/** What one call of a model may cost, in millionths of a currency. An unknown price has no most. */
export type CallCost = { model: string; currency: string; least: number; most: number | null; isKnown: boolean }

/** What a call may cost. `most` is null where nobody can say. */
export type CreditRange = { least: number; most: number | null }

/** Asks a person. The outputs follow from the answer. */
type Gate = {
  /** What is asked: JSON whose `kind` names how (`choose`, `approve`, `edit`). An answer is bound to exactly this. */
  ask(context: Pick<NodeContext, 'params' | 'inputs'>): Record<string, unknown>
  /** The outputs, or what is wrong with the answer; `loc` begins inside the answer. */
  accept(
    request: Record<string, unknown>,
    answer: unknown,
  ): { outputs: Record<string, unknown> } | { errors: ValidationError[] }
}

/**
 * A node type. `implementation` stands in the cache's key beside the version: raise it when the same params and inputs
 * give something else, so that nothing made before is served.
 */
export type NodeType = Omit<NodeVersion, 'gate' | 'available' | 'unavailable_reason' | 'replaced_by'> & {
  implementation: string
  /** Whether what it gives follows from its seed too, which must then stay the same for the same call. */
  seeded: boolean
  /** Calls at once in one process, of a type that asks no provider. Providers have limits that hold over all processes. */
  concurrency: number
  /** The longest one call may take. */
  timeoutSeconds: number
  /** Whether it asks the other side what became of an earlier attempt before it sends anything: it may go on after a crash without a checkpoint. */
  asksFirst: boolean
  /** Why this deployment cannot run it; null where it can. */
  unavailable(): string | null
  /** Provider and model, as they stand in the cache's key; null where there is none. */
  provider(params: Record<string, unknown>): string | null
  /** What a call with these inputs may cost; `inputs` is null while they are not known. */
  estimate(params: Record<string, unknown>, inputs: Record<string, unknown> | null): CreditRange
  /** The same in money; null where nothing is paid to anybody. */
  cost(params: Record<string, unknown>, inputs: Record<string, unknown> | null): CallCost | null
} & ({ gate: Gate; run?: never } | { gate: null; run(context: NodeContext): Promise<NodeResult> })

/** A type that is no longer there. Its nodes are shown, refused at a start, and name what replaces them. */
export type DroppedType = { type: string; version: number; replaced_by: { type: string; version: number } | null }

/** Finds a type at exactly this version. */
export type FindType = (type: string, version: number) => NodeType | undefined

/** One name for a version of a type, as workers say what they have and runs what they need. */
export const versionName = ({ type, version }: { type: string; version: number }): string => `${type}@${version}`

/**
 * Thrown by a call that did not work out, with a sentence that says what went wrong and what to do. `again`: whether a
 * later attempt may succeed, and then after how many seconds; `busy` where the provider takes no calls at all meanwhile.
 * `outcome`: `none` where nothing was done and nothing is owed; `unknown` where the provider may have done its work;
 * `paid` where it has, and what it gave is of no use: `credits` is what that cost.
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

/** The reason of a call's signal where the run was cancelled, and nobody wants what comes of it. */
export class Cancelled extends Error {}

type Again = { afterSeconds: number; busy?: boolean }
/** With `credits`, the outcome is that they were paid; `cost` as in a result. */
type FailureOptions = { again?: Again; cause?: unknown } & (
  | { outcome?: 'none' | 'unknown'; credits?: never; cost?: never }
  | { outcome?: never; credits: number; cost?: Cost | null }
)
