// In charge of earlier versions of a node type that run by calling a newer version: each call converts its params and inputs for
// the newer version, and converts the outputs back. So existing graphs keep their definitions, edges and cache keys.
import type { OutputPort } from '@atelier/contract/graph/node-types.ts'
import type { Static, TObject, TProperties } from 'typebox'
import { defineNode, type Inputs, type TypedPort } from './define.ts'
import type { NodeType } from './node-type.ts'

type Values = Record<string, unknown>

/**
 * The params and ports of the earlier version, and in `migrate` pure functions that convert between it and the newer version.
 * Params, inputs or outputs for which `migrate` has no function are passed on unchanged.
 */
type Earlier<P extends TProperties, I extends Record<string, TypedPort>> = {
  version: number
  params: P
  inputs: I
  outputs: Record<string, OutputPort>
  migrate: {
    params?(params: Static<TObject<P>>): Values
    inputs?(inputs: Inputs<I>): Values
    /** Converts the outputs of the newer version to the outputs of the earlier one. */
    outputs?(outputs: Values): Values
  }
}

export function earlierVersion<P extends TProperties, I extends Record<string, TypedPort>>(
  newer: NodeType,
  { version, params, inputs, outputs, migrate }: Earlier<P, I>,
): NodeType {
  const name = `${newer.type} version ${version}`
  if (version >= newer.version) throw new Error(`${name} is not earlier than version ${newer.version}.`)
  if (newer.gate !== null)
    throw new Error(
      `${name} is a gate. Keep the version itself: what it has asked is bound to the form of its requests.`,
    )
  const { type, title, summary, help, group, credits, implementation, seeded, pure, cacheable } = newer
  const toParams = (from: Static<TObject<P>>): Values => migrate.params?.(from) ?? { ...from }
  const toInputs = (from: Inputs<I>): Values => migrate.inputs?.(from) ?? { ...from }
  return defineNode<P, I>({
    ...{ type, version, title, summary, help, group, credits, implementation, seeded, pure, cacheable },
    ...{ params, inputs, outputs },
    openInputs: newer.open_inputs,
    retrySafe: newer.retry_safe,
    asksFirst: newer.asksFirst,
    concurrency: newer.concurrency,
    timeoutSeconds: newer.timeoutSeconds,
    unavailable: newer.unavailable,
    provider: (from) => newer.provider(toParams(from)),
    estimate: (from, known) => newer.estimate(toParams(from), known && toInputs(known as Inputs<I>)),
    cost: (from, known) => newer.cost(toParams(from), known && toInputs(known as Inputs<I>)),
    run: async (context) => {
      const migrated = { params: toParams(context.params), inputs: toInputs(context.inputs) }
      const result = await newer.run({ ...context, ...migrated })
      return { ...result, outputs: migrate.outputs?.(result.outputs) ?? result.outputs }
    },
  })
}
