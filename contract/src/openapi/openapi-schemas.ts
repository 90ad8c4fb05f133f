// In charge of the schemas in the OpenAPI document: schemas with a name become components, vocabularies get their allowed
// values, and private keywords are removed.
import type { TSchema } from 'typebox'
import { type Vocabularies, valuesOf, vocabularyNames } from '../vocabulary.ts'

/** A JSON object that is a part of the OpenAPI document. */
export type Json = Readonly<Record<string, unknown>>

export type SchemaWriter = {
  /** All components written so far, by name. */
  components: Record<string, Json>
  /** Returns the schema in the form for the document; named schemas inside it become components. */
  write(schema: TSchema): Json
  /** Returns a copy of the example in which values that this deployment's vocabularies lack are replaced by allowed values. */
  fit(schema: TSchema, example: unknown): unknown
}

/** Keywords that may stand beside a reference to a schema, because they describe this use of the schema, not the schema itself. */
const ofPlace = ['title', 'description', 'default', 'examples', 'deprecated'] as const
const ofMembers = new Set(['properties', 'patternProperties', '$defs'])
const ofParts = new Set(['items', 'additionalProperties', 'anyOf', 'allOf', 'oneOf', 'not', 'prefixItems'])
/** The pattern that TypeBox writes for a record whose members may have any names. */
const anyName = '^.*$'

export const schemaReference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

export function schemaWriter(vocabulary: Vocabularies): SchemaWriter {
  const values: ReadonlyMap<string, readonly string[]> = new Map(Object.entries(valuesOf(vocabulary)))
  const components: Record<string, Json> = {}
  for (const name of vocabularyNames) {
    components[name] = { type: 'string', enum: values.get(name), description: `${ofThisDeployment} (${name}).` }
  }

  const write = (schema: unknown): unknown => {
    if (Array.isArray(schema)) return schema.map(write)
    if (!isJson(schema)) return schema
    if (typeof schema.$ref === 'string') return schemaReference(schema.$ref)
    const name = schema['x-vocabulary'] ?? schema.$id
    return typeof name === 'string' ? refer(name, schema) : parts(schema)
  }

  /** Returns a reference to a component, and adds the component at its first use. If `schema` allows null, the result does too. */
  const refer = (name: string, schema: Json): Json => {
    components[name] ??= parts(withoutNull(schema))
    const component = components[name]
    if (schema['x-vocabulary'] === undefined && contentOf(component) !== contentOf(parts(withoutNull(schema)))) {
      throw new Error(`two different schemas have the $id ${name}; give one of them another`)
    }
    const here = ofPlace.filter((keyword) => keyword in schema && schema[keyword] !== component[keyword])
    const beside = Object.fromEntries(here.map((keyword) => [keyword, schema[keyword]]))
    const reference = schemaReference(name)
    return { ...(isNullable(schema) ? { anyOf: [reference, { type: 'null' }] } : reference), ...beside }
  }

  const parts = (schema: Json): Json => {
    const { patternProperties } = schema
    if (isJson(patternProperties) && anyName in patternProperties) {
      const { patternProperties: _, ...rest } = schema
      return parts({ ...rest, additionalProperties: patternProperties[anyName] })
    }
    const entries = Object.entries(schema).filter(([keyword]) => keyword !== '$id' && !/^(?:x-|~)/.test(keyword))
    return Object.fromEntries(
      entries.map(([keyword, value]) => {
        if (ofMembers.has(keyword) && isJson(value)) return [keyword, mapMembers(value, write)]
        return [keyword, ofParts.has(keyword) ? write(value) : value]
      }),
    )
  }

  const fit = (schema: unknown, example: unknown): unknown => {
    if (!isJson(schema)) return example
    const allowed = values.get(String(schema['x-vocabulary']))
    if (allowed && typeof example === 'string') return allowed.includes(example) ? example : allowed[0]
    if (Array.isArray(schema.anyOf)) return schema.anyOf.reduce((fitted, branch) => fit(branch, fitted), example)
    if (Array.isArray(example)) return [...new Set(example.map((item) => fit(schema.items, item)))]
    if (!isJson(example)) return example
    const members = isJson(schema.properties) ? schema.properties : {}
    return Object.fromEntries(Object.entries(example).map(([name, value]) => [name, fit(members[name], value)]))
  }

  // The cast is safe: for an object schema, `write` returns an object.
  return { components, write: (schema) => write(schema) as Json, fit }
}

const ofThisDeployment = 'Values of this deployment; `GET /api/v1/tasks/schema` has their labels'

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const isNullable = ({ type }: Json): boolean => Array.isArray(type) && type.includes('null')

function withoutNull(schema: Json): Json {
  if (!isNullable(schema) || !Array.isArray(schema.type)) return schema
  const types = schema.type.filter((type) => type !== 'null')
  return {
    ...schema,
    type: types.length === 1 ? types[0] : types,
    ...(Array.isArray(schema.enum) ? { enum: schema.enum.filter((value) => value !== null) } : {}),
  }
}

/**
 * The part of a schema that is compared when two schemas have the same name. Keywords that may differ between the places where the
 * schema is used (`ofPlace`), such as titles and descriptions, are left out.
 */
function contentOf(schema: Json): string {
  const rest = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofPlace.some((own) => own === keyword)))
  return JSON.stringify(rest)
}

const mapMembers = (members: Json, map: (member: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(members).map(([name, member]) => [name, map(member)]))
