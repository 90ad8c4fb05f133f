// In charge of holding values against the JSON Schemas of node types: what is wrong, in the vocabulary of Pydantic v2.
// No code is made of text anywhere in it: pages forbid that.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import { isPlainObject } from './definition.ts'

/** What is wrong with a value, and where in it. */
export type SchemaFault = {
  type: string
  loc: (string | number)[]
  msg: string
  ctx?: Record<string, unknown>
  input: unknown
}

/** A schema as it is checked: `quick` stops at the first error, `whole` finds all. */
type Compiled = { schema: Record<string, unknown>; quick: Validator; whole: Validator }

/** Schemas of node types are few, and live as long as their registry. */
const compiled = new WeakMap<object, Compiled>()

function compile(schema: object): Compiled {
  const known = compiled.get(schema)
  if (known) return known
  // A copy: the validator marks what it is given, and TypeBox's own schemas hold more than JSON.
  const own: Schema & Record<string, unknown> = JSON.parse(JSON.stringify(schema))
  const made = {
    schema: own,
    quick: new Validator(own, '2020-12', true),
    whole: new Validator(own, '2020-12', false),
  }
  compiled.set(schema, made)
  return made
}

/** Every fault of a value that a schema refuses; none where it takes it. Values are JSON. */
export function schemaFaults(schema: object, value: unknown): SchemaFault[] {
  const { schema: own, quick, whole } = compile(schema)
  try {
    if (quick.validate(value).valid) return []
    return faultsOf(own, value, whole.validate(value).errors)
  } catch (error) {
    // Places are kept as URIs on the way, which names with half a surrogate pair cannot be.
    if (!(error instanceof URIError)) throw error
    return [valueFault('member names may not contain lone surrogates', [], value)]
  }
}

/** Keywords that say themselves what is wrong; what is wrong further in is how they came to say so. */
const choosing = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames'])

function faultsOf(schema: Record<string, unknown>, value: unknown, errors: readonly OutputUnit[]): SchemaFault[] {
  const faults: SchemaFault[] = []
  const told = new Set<string>()
  // What is wrong within the branches of a choice says less than that none of them fits.
  const choices: string[] = []
  for (const { keyword, keywordLocation, instanceLocation } of errors) {
    if (choices.some((choice) => keywordLocation.startsWith(`${choice}/`))) continue
    if (choosing.has(keyword)) choices.push(keywordLocation)
    const say = words[keyword]
    // `properties`, `items` and the like only say that something is wrong further in.
    if (!say) continue
    const place = `${keyword} ${instanceLocation}`
    if (told.has(place)) continue
    told.add(place)
    const found = findValue(value, pointerParts(instanceLocation))
    const rules = keyword === 'false' ? {} : findRules(schema, pointerParts(keywordLocation).slice(0, -1))
    faults.push(...say({ rules, limit: rules[keyword], value: found.value, loc: found.loc }))
  }
  return faults
}

const pointerParts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURI(part).replaceAll('~1', '/').replaceAll('~0', '~'))

function findValue(root: unknown, parts: readonly string[]): { value: unknown; loc: (string | number)[] } {
  let value = root
  const loc: (string | number)[] = []
  for (const part of parts) {
    loc.push(Array.isArray(value) ? Number(part) : part)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, part) : undefined
  }
  return { value, loc }
}

/** The schema at a place; `$ref`s on the way, which are local ones, are followed. */
function findRules(root: Record<string, unknown>, parts: readonly string[]): Record<string, unknown> {
  let at: unknown = root
  for (const part of parts) {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, part) : undefined
    if (part === '$ref' && typeof at === 'string') at = findRules(root, pointerParts(at))
  }
  return isPlainObject(at) ? at : {}
}

type Broken = { rules: Record<string, unknown>; limit: unknown; value: unknown; loc: (string | number)[] }
type Say = (broken: Broken) => SchemaFault[]

const valueFault = (why: string, loc: (string | number)[], input: unknown): SchemaFault => ({
  type: 'value_error',
  loc,
  msg: `Value error, ${why}`,
  ctx: { error: {} },
  input,
})

const bound =
  (type: string, name: string, words: string): Say =>
  ({ limit, loc, value }) => [
    { type, loc, msg: `Input should be ${words} ${limit}`, ctx: { [name]: limit }, input: value },
  ]

const ruled =
  (why: string): Say =>
  ({ loc, value }) => [valueFault(why, loc, value)]

const words: Readonly<Record<string, Say>> = {
  // What is none of a few values is said by these, also where it is of another type.
  type: ({ rules, limit, loc, value }) =>
    'enum' in rules || 'const' in rules ? [] : [{ ...typeWords(limit, value), loc, input: value }],
  enum: ({ limit, loc, value }) => [choiceFault('enum', Array.isArray(limit) ? limit : [], loc, value)],
  const: ({ limit, loc, value }) => [choiceFault('literal_error', [limit], loc, value)],
  required: ({ limit, loc, value }) =>
    (Array.isArray(limit) ? limit : [])
      .filter((name) => !(isPlainObject(value) && Object.hasOwn(value, name)))
      .map((name) => ({ type: 'missing', loc: [...loc, name], msg: 'Field required', input: value })),
  false: ({ loc, value }) => [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: value }],
  minimum: bound('greater_than_equal', 'ge', 'greater than or equal to'),
  maximum: bound('less_than_equal', 'le', 'less than or equal to'),
  exclusiveMinimum: bound('greater_than', 'gt', 'greater than'),
  exclusiveMaximum: bound('less_than', 'lt', 'less than'),
  multipleOf: bound('multiple_of', 'multiple_of', 'a multiple of'),
  minLength: ({ limit, loc, value }) => [
    {
      type: 'string_too_short',
      loc,
      msg: `String should have at least ${count(limit, 'character')}`,
      ctx: { min_length: limit },
      input: value,
    },
  ],
  maxLength: ({ limit, loc, value }) => [
    {
      type: 'string_too_long',
      loc,
      msg: `String should have at most ${count(limit, 'character')}`,
      ctx: { max_length: limit },
      input: value,
    },
  ],
  pattern: ({ limit, loc, value }) => [
    {
      type: 'string_pattern_mismatch',
      loc,
      msg: `String should match pattern '${limit}'`,
      ctx: { pattern: limit },
      input: value,
    },
  ],
  format: ({ limit, loc, value }) => [valueFault(`this is not a ${limit}`, loc, value)],
  minItems: ({ limit, loc, value }) => [sizeFault('too_short', 'List', limit, loc, value)],
  maxItems: ({ limit, loc, value }) => [sizeFault('too_long', 'List', limit, loc, value)],
  minProperties: ({ limit, loc, value }) => [sizeFault('too_short', 'Dictionary', limit, loc, value)],
  maxProperties: ({ limit, loc, value }) => [sizeFault('too_long', 'Dictionary', limit, loc, value)],
  uniqueItems: ruled('items must be unique'),
  contains: ruled('the list lacks an item that it must have'),
  propertyNames: ruled('a member has a name that is not allowed here'),
  dependentRequired: ruled('a member is missing that another one needs beside it'),
  not: ruled('this value is not allowed here'),
  oneOf: ruled('this must be exactly one of the kinds that are allowed here'),
  anyOf: ruled('this is none of the kinds that are allowed here'),
}

function typeWords(limit: unknown, value: unknown): Pick<SchemaFault, 'type' | 'msg'> {
  const expected = Array.isArray(limit) ? limit.find((type) => type !== 'null') : limit
  switch (expected) {
    case 'integer':
      return typeof value === 'number'
        ? { type: 'int_from_float', msg: 'Input should be a valid integer, got a number with a fractional part' }
        : { type: 'int_type', msg: 'Input should be a valid integer' }
    case 'number':
      return { type: 'float_type', msg: 'Input should be a valid number' }
    case 'boolean':
      return { type: 'bool_type', msg: 'Input should be a valid boolean' }
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case 'object':
      return { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    case 'null':
      return { type: 'none_required', msg: 'Input should be None' }
    default:
      return { type: 'string_type', msg: 'Input should be a valid string' }
  }
}

function choiceFault(type: string, allowed: readonly unknown[], loc: (string | number)[], input: unknown): SchemaFault {
  const shown = allowed
    .filter((value) => value !== null)
    .map((value) => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value)))
  const last = shown.pop() ?? 'None'
  const expected = shown.length === 0 ? last : `${shown.join(', ')} or ${last}`
  return { type, loc, msg: `Input should be ${expected}`, ctx: { expected }, input }
}

function sizeFault(
  type: 'too_short' | 'too_long',
  field_type: string,
  limit: unknown,
  loc: (string | number)[],
  input: unknown,
): SchemaFault {
  const actual_length = Array.isArray(input) ? input.length : Object.keys(Object(input)).length
  const amount = type === 'too_short' ? 'at least' : 'at most'
  const msg = `${field_type} should have ${amount} ${count(limit, 'item')} after validation, not ${actual_length}`
  return {
    type,
    loc,
    msg,
    ctx: { field_type, [type === 'too_short' ? 'min_length' : 'max_length']: limit, actual_length },
    input,
  }
}

const count = (limit: unknown, noun: string): string => `${limit} ${noun}${limit === 1 ? '' : 's'}`

/** The params with the schema's defaults where a member is absent, also within members that are objects. */
export function withDefaults(
  schema: Record<string, unknown>,
  params: Record<string, unknown>,
): Record<string, unknown> {
  const filled = { ...params }
  const properties = isPlainObject(schema.properties) ? schema.properties : {}
  for (const [name, member] of Object.entries(properties)) {
    if (!isPlainObject(member)) continue
    const given = Object.hasOwn(filled, name) ? filled[name] : undefined
    if (given === undefined && 'default' in member) filled[name] = structuredClone(member.default)
    const value = Object.hasOwn(filled, name) ? filled[name] : undefined
    if (isPlainObject(value) && isPlainObject(member.properties)) filled[name] = withDefaults(member, value)
  }
  return filled
}
