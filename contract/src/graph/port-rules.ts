// In charge of deciding whether the output of one port fits the input of another, by comparing which kinds of values the two
// JSON Schemas allow.
import { isPlainObject } from './definition.ts'

/** A JSON Schema of a port, as plain data. */
export type PortSchema = Readonly<Record<string, unknown>> | boolean

type Kind = 'any' | 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' | 'file'
/** A kind of values that a schema allows. `values`: the only allowed values of this kind, as JSON; null if all are allowed. */
type Allowed = { kind: Kind; schema: Readonly<Record<string, unknown>>; values: ReadonlySet<string> | null }

const kinds: ReadonlySet<string> = new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'])
const isKind = (name: unknown): name is Kind => typeof name === 'string' && kinds.has(name)

/**
 * Describes why values of the schema `from` cannot be used where `to` is required; null if they can. Kinds, enumerated values and
 * the members of objects are compared here; lengths, ranges and patterns are checked only when a node runs.
 */
export function portProblem(from: PortSchema, to: PortSchema): string | null {
  const takes = allowedBy(to)
  for (const given of allowedBy(from)) {
    if (takes.some((taken) => fits(given, taken))) continue
    return `it gives ${nameOf(from)}, and ${nameOf(to)} is asked for${whyNot(given, takes)}`
  }
  return null
}

/** Returns the schema of a list whose elements have the given schema. */
export const listOf = (schema: PortSchema): PortSchema => {
  const known = typeof schema === 'object' ? lists.get(schema) : undefined
  if (known) return known
  const list = { type: 'array', items: schema }
  if (typeof schema === 'object') lists.set(schema, list)
  return list
}
/** Caches the list schema of each schema, because the cache of comparisons recognises a schema only if it is the same object. */
const lists = new WeakMap<object, PortSchema>()

/** Returns the schema of either one value of the given schema or a list of such values. */
export const oneOrListOf = (schema: PortSchema): PortSchema => {
  const known = typeof schema === 'object' ? choices.get(schema) : undefined
  if (known) return known
  const choice = { anyOf: [schema, listOf(schema)] }
  if (typeof schema === 'object') choices.set(schema, choice)
  return choice
}
/** Caches the results of `oneOrListOf`, for the same reason. */
const choices = new WeakMap<object, PortSchema>()

function fits(given: Allowed, taken: Allowed): boolean {
  // A schema for any kind of value always fits; the value itself is checked when the node runs.
  if (given.kind === 'any' || taken.kind === 'any') return true
  const sameKind = given.kind === taken.kind || (given.kind === 'integer' && taken.kind === 'number')
  if (!sameKind) return false
  if (taken.values !== null)
    return given.values !== null && [...given.values].every((value) => taken.values?.has(value))
  if (given.kind === 'array') return portProblem(itemsOf(given.schema), itemsOf(taken.schema)) === null
  if (given.kind === 'object') return objectProblem(given.schema, taken.schema) === null
  return true
}

const itemsOf = (schema: Readonly<Record<string, unknown>>): PortSchema => asSchema(schema.items)
const asSchema = (value: unknown): PortSchema => (typeof value === 'boolean' || isPlainObject(value) ? value : true)

/**
 * Compares two object schemas, but not strictly: a member that `to` requires may be optional in `from`, and only members that both
 * schemas declare are compared.
 */
function objectProblem(from: Readonly<Record<string, unknown>>, to: Readonly<Record<string, unknown>>): string | null {
  const given = isPlainObject(from.properties) ? from.properties : {}
  const taken = isPlainObject(to.properties) ? to.properties : {}
  const required = Array.isArray(to.required) ? to.required : []
  for (const name of required) {
    const isThere = Object.hasOwn(given, name) || from.additionalProperties !== false
    if (!isThere) return `it has no member “${name}”`
  }
  for (const [name, schema] of Object.entries(taken)) {
    if (!Object.hasOwn(given, name)) continue
    const problem = portProblem(asSchema(given[name]), asSchema(schema))
    if (problem !== null) return `of its member “${name}”, ${problem}`
  }
  return null
}

/** The kinds of values that a schema allows. A schema without keywords about kinds, for example only `allOf`, allows any kind. */
function allowedBy(schema: PortSchema): Allowed[] {
  if (schema === false) return []
  if (schema === true) return [{ kind: 'any', schema: {}, values: null }]
  const branches = Array.isArray(schema.anyOf) ? schema.anyOf : schema.oneOf
  if (Array.isArray(branches)) return branches.flatMap((branch) => allowedBy(asSchema(branch)))
  if (schema['x-atelier'] === 'file') return [{ kind: 'file', schema, values: null }]
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : null
  if (values !== null) return allowedValues(schema, values)
  const named = Array.isArray(schema.type) ? schema.type : [schema.type]
  const found = named.filter(isKind)
  if (found.length === 0) return [{ kind: impliedKind(schema), schema, values: null }]
  return found.map((kind) => ({ kind, schema, values: null }))
}

/** The kind of a schema without `type`: an object if it has `properties`, a list if it has `items`, otherwise any kind. */
function impliedKind(schema: Readonly<Record<string, unknown>>): Kind {
  if (isPlainObject(schema.properties)) return 'object'
  return isPlainObject(schema.items) ? 'array' : 'any'
}

function allowedValues(schema: Readonly<Record<string, unknown>>, values: readonly unknown[]): Allowed[] {
  const byKind = new Map<Kind, Set<string>>()
  for (const value of values) {
    const kind = kindOf(value)
    byKind.set(kind, (byKind.get(kind) ?? new Set()).add(JSON.stringify(value)))
  }
  return [...byKind].map(([kind, texts]) => ({ kind, schema, values: texts }))
}

function kindOf(value: unknown): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'string' ? 'string' : 'object'
}

/** Returns the end of the message about an edge: why the ports do not fit, or what the user can do. May be an empty text. */
function whyNot(given: Allowed, takes: readonly Allowed[]): string {
  if (given.kind === 'array' && takes.some((taken) => taken.kind !== 'array' && isElement(given, taken))) {
    return '; to run once for each element, name the port in `each`'
  }
  if (given.kind !== 'object') return ''
  const objects = takes.filter(({ kind }) => kind === 'object')
  const why = objects.map(({ schema }) => objectProblem(given.schema, schema)).find((problem) => problem !== null)
  return why ? ` (${why})` : ''
}

const isElement = (list: Allowed, taken: Allowed): boolean =>
  allowedBy(itemsOf(list.schema)).some((element) => fits(element, taken))

const kindNames: Readonly<Record<Kind, [string, string]>> = {
  any: ['anything', 'anything'],
  null: ['nothing', 'nothing'],
  boolean: ['yes or no', 'yes or no'],
  integer: ['a whole number', 'whole numbers'],
  number: ['a number', 'numbers'],
  string: ['text', 'texts'],
  array: ['a list', 'lists'],
  object: ['an object', 'objects'],
  file: ['a file', 'files'],
}

/** Describes in words which values a schema allows, such as `a list of texts or nothing`. */
function nameOf(schema: PortSchema, number: 0 | 1 = 0): string {
  const names = allowedBy(schema).map((allowed) => {
    const { kind, values } = allowed
    if (values !== null) {
      const shown = [...values].slice(0, 5).join(', ')
      return `${number === 0 ? 'one' : 'some'} of ${shown}${values.size > 5 ? ', …' : ''}`
    }
    const items = kind === 'array' ? itemsOf(allowed.schema) : true
    const of =
      items === true || (typeof items === 'object' && Object.keys(items).length === 0) ? '' : ` of ${nameOf(items, 1)}`
    return `${kindNames[kind][number]}${of}`
  })
  const distinct = [...new Set(names)]
  return distinct.length === 0 ? 'nothing at all' : distinct.join(' or ')
}
