// In charge of defining node types briefly: fills in defaults, and derives the TypeScript types of params and inputs from their
// schemas.
import type { FileValue } from '@atelier/contract/graph/definition.ts'
import { fileSchema } from '@atelier/contract/graph/definition.ts'
import type { InputPort, NodeVersion, OutputPort } from '@atelier/contract/graph/node-types.ts'
import type { ValidationError } from '@atelier/contract/wire/errors.ts'
import Type, { type Static, type TProperties, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import {
  type CallCost,
  type CreditRange,
  type NodeContext,
  NodeFailure,
  type NodeResult,
  type NodeType,
} from './node-type.ts'

/** An input port whose schema is a TypeBox schema, from which TypeScript derives the type of the port's values. */
export type TypedPort = Omit<InputPort, 'schema'> & { schema: TSchema }
type ValueOf<P extends TypedPort> = P['many'] extends true ? Static<P['schema']>[] : Static<P['schema']>
export type Inputs<I extends Record<string, TypedPort>> = {
  [K in keyof I as I[K]['required'] extends true ? K : never]: ValueOf<I[K]>
} & { [K in keyof I as I[K]['required'] extends true ? never : K]?: ValueOf<I[K]> } & Record<string, unknown>

type Call<P extends TProperties, I extends Record<string, TypedPort>> = {
  params: Static<Type.TObject<P>>
  inputs: Inputs<I>
}
type Asked<P extends TProperties, I extends Record<string, TypedPort>, R extends TSchema> = {
  /** The schema of the request that is shown to a person. */
  request: R
  ask(call: Call<P, I>): Static<R>
  accept(request: Static<R>, answer: unknown): { outputs: Record<string, unknown> } | { errors: ValidationError[] }
}

/**
 * What the author of a node type writes. Unless the spec says otherwise, a call is free, is safe to retry, uses no provider, and
 * may take 30 seconds.
 */
type Spec<P extends TProperties, I extends Record<string, TypedPort>, R extends TSchema> = Pick<
  NodeVersion,
  'type' | 'title' | 'summary' | 'help' | 'group'
> & {
  version?: number
  implementation?: string
  seeded?: boolean
  /** Param → schema. A node may leave out a param with a `default`; the default is filled in before the node runs. */
  params: P
  inputs: I
  outputs: Record<string, OutputPort>
  openInputs?: boolean
  credits?: NodeVersion['credits']
  cacheable?: boolean
  retrySafe?: boolean
  asksFirst?: boolean
  pure?: boolean
  concurrency?: number
  timeoutSeconds?: number
  unavailable?(): string | null
  provider?(params: Static<Type.TObject<P>>): string | null
  estimate?(params: Static<Type.TObject<P>>, inputs: Record<string, unknown> | null): CreditRange
  cost?(params: Static<Type.TObject<P>>, inputs: Record<string, unknown> | null): CallCost | null
} & ({ run(context: Omit<NodeContext, 'params' | 'inputs'> & Call<P, I>): Promise<NodeResult> } | Asked<P, I, R>)

/** Builds the complete node type from a spec. */
export function defineNode<
  P extends TProperties,
  I extends Record<string, TypedPort> = Record<never, never>,
  R extends TSchema = TSchema,
>(spec: Spec<P, I, R>): NodeType {
  const read = reader<P, I>(spec)
  const credits = spec.credits ?? { least: 0, most: 0, note: 'Free.' }
  const shared = {
    type: spec.type,
    version: spec.version ?? 1,
    implementation: spec.implementation ?? '1',
    seeded: spec.seeded ?? false,
    title: spec.title,
    summary: spec.summary,
    help: spec.help.trim(),
    group: spec.group,
    params: paramsSchema(spec.params),
    inputs: Object.fromEntries(
      Object.entries<TypedPort>(spec.inputs).map(([name, port]) => [name, { ...port, schema: { ...port.schema } }]),
    ),
    outputs: spec.outputs,
    open_inputs: spec.openInputs ?? false,
    credits,
    // By default, neither a gate nor a pure type is cached: a gate's outputs are a person's answer, and executing a pure type again
    // is faster than a look-up in the cache.
    cacheable: spec.cacheable ?? !('ask' in spec || spec.pure),
    retry_safe: spec.retrySafe ?? true,
    pure: spec.pure ?? false,
    concurrency: spec.concurrency ?? 16,
    timeoutSeconds: spec.timeoutSeconds ?? 30,
    asksFirst: spec.asksFirst ?? false,
    unavailable: spec.unavailable ?? (() => null),
    provider: (params: Record<string, unknown>) => spec.provider?.(read.params(params)) ?? null,
    estimate: (params: Record<string, unknown>, inputs: Record<string, unknown> | null): CreditRange =>
      spec.estimate?.(read.params(params), inputs) ?? { least: credits.least, most: credits.most },
    cost: (params: Record<string, unknown>, inputs: Record<string, unknown> | null): CallCost | null =>
      spec.cost?.(read.params(params), inputs) ?? null,
  }
  if ('run' in spec) {
    return { ...shared, gate: null, run: async (context) => spec.run({ ...context, ...read.call(context) }) }
  }
  const check = once(() => Compile(spec.request))
  return {
    ...shared,
    gate: {
      ask: (context) => asRecord(spec.ask(read.call(context))),
      accept: (request, answer) => {
        if (!check().Check(request)) throw new Error(`${spec.type} was answered for something it never asks.`)
        return spec.accept(request, answer)
      },
    },
  }
}

/** Checks the params and inputs of a call. The graph rules checked them before the run, but without the values that edges bring. */
function reader<P extends TProperties, I extends Record<string, TypedPort>>(spec: {
  type: string
  params: P
  inputs: I
}) {
  const whole = once(() => Compile(Type.Object(spec.params)))
  const defaults = Object.fromEntries(
    Object.entries(spec.params).flatMap(([name, schema]) => ('default' in schema ? [[name, schema.default]] : [])),
  )
  const ports = Object.entries<TypedPort>(spec.inputs).map(([name, port]) => {
    return { name, port, check: once(() => Compile(port.many ? Type.Array(port.schema) : port.schema)) }
  })
  const params = (raw: Record<string, unknown>): Static<Type.TObject<P>> => {
    const filled: unknown = { ...defaults, ...raw }
    if (whole().Check(filled)) return filled
    const [error] = whole().Errors(filled)
    const name = error?.instancePath.slice(1) ?? ''
    const what = name === '' ? 'The settings are not right: they' : `The setting “${name}”`
    throw new NodeFailure(`${what} ${error?.message ?? 'must be other ones'}.`)
  }
  const areInputs = (raw: Record<string, unknown>): raw is Inputs<I> => {
    for (const { name, port, check } of ports) {
      if (raw[name] === undefined ? port.required : !check().Check(raw[name])) {
        const [error] = check().Errors(raw[name])
        const where = error?.instancePath ? ` at ${error.instancePath}` : ''
        const what =
          raw[name] === undefined ? 'has no value' : `does not fit${where}: it ${error?.message ?? 'is wrong'}`
        throw new NodeFailure(`The input “${port.title}” (${name}) ${what}. ${port.description}`)
      }
    }
    return true
  }
  const call = (context: { params: Record<string, unknown>; inputs: Record<string, unknown> }): Call<P, I> => {
    const { inputs } = context
    if (!areInputs(inputs)) throw new Error('unreachable: a wrong input has thrown')
    return { params: params(context.params), inputs }
  }
  return { params, call }
}

/**
 * Returns a function that calls `make` the first time and then returns the same value again. So a schema is compiled only when a
 * node needs it, and not at the start of the server.
 */
function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The JSON Schema of params. TypeBox lists every param in `required`; params with a default are removed from that list. */
function paramsSchema(properties: TProperties): Record<string, unknown> {
  const schema: { required?: string[] } & TSchema = Type.Object(properties, { additionalProperties: false })
  return { ...schema, required: (schema.required ?? []).filter((name) => !('default' in (properties[name] ?? {}))) }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : { value }
}

/** Schemas of ports: any JSON value, a file (`File`), or a list of texts (`TextList`). */
export const AnyValue = Type.Unsafe<unknown>({})
export const File = Type.Unsafe<FileValue>({ ...fileSchema })
export const TextList = Type.Array(Type.String())
/** A row of a table: an object with any members, because a column may have any name. */
export const Row = Type.Unsafe<Record<string, unknown>>({ type: 'object' })
export const Rows = Type.Array(Row)

type PortWords<S extends TSchema> = { title: string; description: string; schema: S }

/** An input port that must have a value. */
export const needs = <S extends TSchema>(port: PortWords<S>) =>
  ({ ...port, required: true, many: false, accepts_holes: false }) as const
/** An input port that may be without a value. */
export const takes = <S extends TSchema>(port: PortWords<S>) =>
  ({ ...port, required: false, many: false, accepts_holes: false }) as const
export const gives = (title: string, description: string, schema: TSchema): OutputPort => ({
  title,
  description,
  schema: { ...schema },
})
