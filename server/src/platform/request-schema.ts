// In charge of compiling a request's schema into a tree of rules, one rule for each value; Ajv checks one value at a time.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { formatFaults } from './validation-words.ts'

/** A JSON Schema as a plain object. */
export type Schema = Readonly<Record<string, unknown>>

/**
 * What a schema requires of one value and of the values inside it. Ajv checks one value at a time: if Ajv had to find all errors of
 * a whole body, it would collect millions of errors for a malicious body of a megabyte before it returned (and would copy them for
 * each item where a `$ref` is used).
 */
export type Rule = {
  /** The keywords of the schema that concern the value itself, not the values inside it. */
  schema: Schema
  /** Returns the first keyword of `schema` that refuses the value; null if none does. */
  refusedBy: (value: unknown) => string | null
  members: readonly Member[]
  declared: ReadonlySet<string>
  /** The rule for undeclared members whose name matches `pattern` (null: any name). `others` is null if there is no such rule. */
  others: { pattern: RegExp | null; rule: Rule } | null
  /** Whether a member that is neither declared nor matched by the pattern is an error. */
  isClosed: boolean
  items: Rule | null
}

type Member = { name: string; rule: Rule; isRequired: boolean }

/** Whether a value is an object, and not null or a list. */
export function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const annotations = new Set(['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly'])
const ofValue = new Set([
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'format', 'x-error'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties', 'x-required-any'],
])
const ofPlace = new Set(['$id', '$ref', 'properties', 'required', 'patternProperties', 'additionalProperties', 'items'])
/** TypeBox's pattern for a record with any names. No regular expression is made of it: names with line breaks would not match. */
const anyName = '^.*$'

const ajv = new Ajv2020({ strict: true, messages: false })
for (const [format, faultOf] of Object.entries(formatFaults)) {
  ajv.addFormat(format, { type: 'string', validate: (text: string) => faultOf(text) === null })
}
// Ajv's own `uniqueItems` is replaced: it compares every pair of items, and calls a `valueOf` that a client's object may contain.
ajv.removeKeyword('uniqueItems')
ajv.addKeyword({
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  validate: (isUnique: boolean, items: unknown[]) => !isUnique || new Set(items).size === items.length,
})
ajv.addKeyword('x-error')
ajv.addKeyword({
  keyword: 'x-required-any',
  type: 'object',
  schemaType: 'array',
  validate: (names: string[], value: object) => names.some((name) => Object.hasOwn(value, name)),
})

/** The rules of schemas with an `$id`, and the schemas as JSON, so that another schema with the same `$id` is detected. */
const named = new Map<string, { json: string; rule: Rule }>()
/** Compiled checks, by the JSON of their keywords. They are shared, because many members of bodies have the same few keywords. */
const judges = new Map<string, Rule['refusedBy']>()

/**
 * Returns the rule for a schema; `refs` are the schemas to which a `$ref` may refer. Throws for a keyword without an error message,
 * such as `anyOf`, for which Ajv reports an error per branch; the exception's message explains what to write instead.
 */
export function compileRule(schema: object, at: string, refs: readonly object[]): Rule {
  const byId = new Map<unknown, Schema>()
  for (const ref of refs) if (isObject(ref)) byId.set(ref.$id, ref)
  return compile(schema, at, byId)
}

function compile(schema: unknown, at: string, refs: ReadonlyMap<unknown, Schema>): Rule {
  if (!isObject(schema)) throw new Error(`${at}: a schema is an object`)
  if (typeof schema.$ref === 'string') return compileReference(schema.$ref, at, refs)
  if (typeof schema.$id === 'string') return compileNamed(schema.$id, schema, refs)
  return compileParts(schema, at, refs)
}

function compileReference(id: string, at: string, refs: ReadonlyMap<unknown, Schema>): Rule {
  const referred = refs.get(id)
  if (referred !== undefined) return compileNamed(id, referred, refs)
  const known = named.get(id)
  if (known === undefined) throw new Error(`${at}: no schema has the $id ${id}; hand it over in refs`)
  return known.rule
}

function compileNamed(id: string, schema: Schema, refs: ReadonlyMap<unknown, Schema>): Rule {
  const json = JSON.stringify(schema)
  const known = named.get(id)
  if (known !== undefined && known.json !== json) throw new Error(`two different schemas have the $id ${id}`)
  if (known !== undefined) return known.rule
  const rule: Rule = {
    schema,
    refusedBy: () => null,
    members: [],
    declared: new Set(),
    others: null,
    isClosed: false,
    items: null,
  }
  // The rule is registered before it is filled, so that a schema may refer to itself.
  named.set(id, { json, rule })
  return Object.assign(rule, compileParts(schema, id, refs))
}

function compileParts(schema: Schema, at: string, refs: ReadonlyMap<unknown, Schema>): Rule {
  refuseUnknownKeywords(schema, at)
  const { properties = {}, required = [], patternProperties = {}, additionalProperties, items } = schema
  const inner = (part: unknown, name: string): Rule => compile(part, `${at}.${name}`, refs)
  const own = Object.fromEntries(Object.entries(schema).filter(([keyword]) => ofValue.has(keyword)))
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name)
  const members = Object.entries(properties ?? {}).map(([name, part]) => ({
    name,
    rule: inner(part, name),
    isRequired: isRequired(name),
  }))
  const patterns = Object.entries(patternProperties ?? {})
  const [pattern] = patterns
  const isRecord = pattern !== undefined
  if (isRecord && (patterns.length > 1 || members.length > 0 || isObject(additionalProperties))) {
    throw new Error(`${at}: a record has one kind of members`)
  }
  const otherSchema = pattern?.[1] ?? (isObject(additionalProperties) ? additionalProperties : undefined)
  const otherName = pattern === undefined || pattern[0] === anyName ? null : new RegExp(pattern[0], 'u')
  return {
    schema: own,
    refusedBy: judge(own),
    members,
    declared: new Set(members.map((member) => member.name)),
    others: otherSchema === undefined ? null : { pattern: otherName, rule: inner(otherSchema, '*') },
    isClosed: additionalProperties === false && pattern?.[0] !== anyName,
    items: isObject(items) ? inner(items, '*') : null,
  }
}

function refuseUnknownKeywords(schema: Schema, at: string): void {
  for (const keyword of Object.keys(schema)) {
    if (ofValue.has(keyword) || ofPlace.has(keyword) || annotations.has(keyword)) continue
    if (keyword.startsWith('x-') || keyword.startsWith('~')) continue
    throw new Error(
      `${at}: a request schema cannot say ${keyword}. Write a nullable member as type: [T, 'null'], an enumeration ` +
        'as enum, and a shared schema with an $id, handed over in refs',
    )
  }
  const { required, properties, uniqueItems, items } = schema
  for (const name of Array.isArray(required) ? required : []) {
    if (!isObject(properties) || !Object.hasOwn(properties, name))
      throw new Error(`${at}.${name}: required, not declared`)
  }
  const allowed = Array.isArray(schema.enum) ? schema.enum : [schema.const]
  const isOfObjects = allowed.some((value) => typeof value === 'object' && value !== null)
  const isUniqueOfObjects =
    uniqueItems === true && !(isObject(items) && ['string', 'integer'].includes(`${items.type}`))
  if (isOfObjects || isUniqueOfObjects) throw new Error(`${at}: only texts and numbers are compared`)
}

function judge(own: Schema): Rule['refusedBy'] {
  const key = JSON.stringify(own)
  const known = judges.get(key)
  if (known !== undefined) return known
  const check = ajv.compile(own)
  const refusedBy = (value: unknown): string | null => (check(value) ? null : (check.errors?.[0]?.keyword ?? 'type'))
  judges.set(key, refusedBy)
  return refusedBy
}
