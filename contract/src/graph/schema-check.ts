// In charge of validating values against the JSON Schemas of node types; the errors use Pydantic's terms. The validator generates
// no code at run time, because the Content-Security-Policy of the web pages forbids generated code.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema'
import {
  type ErrorLoc,
  type ErrorWords,
  errorAt,
  extraForbidden,
  keywordErrors,
  missing,
  typeError,
  valueError,
} from '../wire/validation-errors.ts'
import { isPlainObject } from './definition.ts'

/** An error, the location in the value where it was found, and the refused part of the value. */
export type SchemaFault = ErrorWords & { loc: ErrorLoc; input: unknown }

/** A compiled schema with two validators: `quick` stops at the first error, `whole` finds all errors. */
type Compiled = { schema: Record<string, unknown>; quick: Validator; whole: Validator }

/** Caches the compiled form of each schema. There are few schemas, and they exist as long as the node types do. */
const compiled = new WeakMap<object, Compiled>()

function compile(schema: object): Compiled {
  const known = compiled.get(schema)
  if (known) return known
  // The schema is copied, because the validator adds members to it, and because TypeBox schemas contain more than JSON.
  const own: Schema & Record<string, unknown> = JSON.parse(JSON.stringify(schema))
  postponeUniqueness(own)
  const made = {
    schema: own,
    quick: new Validator(own, '2020-12', true),
    whole: new Validator(own, '2020-12', false),
  }
  compiled.set(schema, made)
  return made
}

/**
 * Changes a schema so that `uniqueItems` is only checked for lists that `maxItems` and `items` accept. The validator compares each
 * item with each other one: for a list of thousands of objects where a few texts are allowed, that takes seconds.
 */
function postponeUniqueness(schema: unknown): void {
  if (Array.isArray(schema)) for (const part of schema) postponeUniqueness(part)
  if (!isPlainObject(schema)) return
  for (const [name, part] of Object.entries(schema)) {
    // These two contain values, not schemas.
    if (name !== 'enum' && name !== 'const') postponeUniqueness(part)
  }
  if (schema.uniqueItems !== true) return
  const { maxItems, items, allOf } = schema
  delete schema.uniqueItems
  const sound = { ...(maxItems === undefined ? {} : { maxItems }), ...(items === undefined ? {} : { items }) }
  schema.allOf = [...(Array.isArray(allOf) ? allOf : []), { if: { not: sound }, else: { uniqueItems: true } }]
}

/** Returns every fault of a JSON value; the list is empty if the schema accepts the value. */
export function schemaFaults(schema: object, value: unknown): SchemaFault[] {
  const { schema: own, quick, whole } = compile(schema)
  try {
    if (quick.validate(value).valid) return []
    return faultsOf(own, value, whole.validate(value).errors)
  } catch (error) {
    // The validator encodes locations as URIs, which fails for member names that contain a lone surrogate.
    if (!(error instanceof URIError)) throw error
    return [errorAt([], valueError('member names may not contain lone surrogates'), value)]
  }
}

/** Keywords that are reported with one error of their own; errors inside their subschemas are not reported. */
const choosing = new Set(['anyOf', 'oneOf', 'not', 'contains', 'propertyNames'])

function faultsOf(schema: Record<string, unknown>, value: unknown, errors: readonly OutputUnit[]): SchemaFault[] {
  const faults: SchemaFault[] = []
  const told = new Set<string>()
  // Errors inside the branches of `anyOf` and similar keywords are skipped: one error saying that no branch fits is clearer.
  // The location of such a keyword in the schema, once: there may be an error of it for each of thousands of items.
  const choices = new Set<string>()
  for (const { keyword, keywordLocation, instanceLocation } of errors) {
    if ([...choices].some((choice) => keywordLocation.startsWith(`${choice}/`))) continue
    if (choosing.has(keyword)) choices.add(keywordLocation)
    const say = sayOf(keyword)
    // There are no words for keywords such as `properties` and `items`, which only repeat that a nested value has an error.
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

/** Finds the part of the schema at a location, following local `$ref`s. */
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

/** Keywords that can report several errors or none, or an error at a location other than the value's own. */
const special: Readonly<Record<string, Say>> = {
  // If the schema has `enum` or `const`, that keyword alone reports a value of a wrong type.
  type: ({ rules, limit, loc, value }) =>
    'enum' in rules || 'const' in rules ? [] : [errorAt(loc, typeError(limit, value), value)],
  required: ({ limit, loc, value }) =>
    (Array.isArray(limit) ? limit : [])
      .filter((name) => !(isPlainObject(value) && Object.hasOwn(value, name)))
      .map((name) => errorAt([...loc, name], missing, value)),
  false: ({ loc, value }) => [errorAt(loc, extraForbidden, value)],
}

function sayOf(keyword: string): Say | undefined {
  const words = keywordErrors[keyword]
  return special[keyword] ?? (words && (({ limit, loc, value }) => [errorAt(loc, words(limit, value), value)]))
}

/** Returns a copy of the params in which each missing member has the schema's default, also inside nested objects. */
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
