// In charge of converting a JSON Schema into form fields: one for each member, with the kind of control for its value. Pure.
import { isPlainObject } from '@atelier/contract/graph/definition.ts'
import { type ModelChoice, modelChoiceOf } from '@atelier/contract/graph/model-catalogue.ts'
import { isWrittenNumber } from '../ui/number-text.ts'

type Told = { name: string; title: string; description: string; required: boolean; fallback: unknown; example: string }
export type Field = Told &
  (
    | { kind: 'text' | 'multiline' | 'code' | 'colour'; maxLength: number | undefined }
    | { kind: 'model'; choice: ModelChoice }
    | { kind: 'number'; whole: boolean; min: number | undefined; max: number | undefined }
    | { kind: 'choice' | 'pictured'; options: { value: unknown; label: string }[] }
    | { kind: 'list'; of: 'text' | 'number'; suggestions: string[] }
    | { kind: 'boolean' | 'file' | 'files' | 'json' | 'any' | 'table' }
  )

type Schema = Readonly<Record<string, unknown>>

/** The fields for the members of an object's schema, in the order of the schema. */
export function fieldsOf(schema: Schema): Field[] {
  const properties = isPlainObject(schema.properties) ? schema.properties : {}
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(properties).map(([name, member]) =>
    fieldOf(name, member, required.includes(name) && !(isPlainObject(member) && Object.hasOwn(member, 'default'))),
  )
}

export function fieldOf(name: string, raw: unknown, required: boolean): Field {
  const schema = withoutNull(isPlainObject(raw) ? raw : {})
  const [example] = Array.isArray(schema.examples) ? schema.examples : []
  const told: Told = {
    name,
    title: textOf(schema.title) || name.replaceAll('_', ' '),
    description: textOf(schema.description),
    required,
    fallback: schema.default,
    example: example === undefined ? '' : typeof example === 'string' ? example : JSON.stringify(example),
  }
  return { ...told, ...entryOf(schema) }
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never

function entryOf(schema: Schema): DistributiveOmit<Field, keyof Told> {
  const hint = schema['x-atelier']
  const [min, max] = [numberOf(schema.minimum), numberOf(schema.maximum)]
  const maxLength = numberOf(schema.maxLength)
  if (hint === 'file') return { kind: 'file' }
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.map((value: unknown) => ({ value, label: labelOf(value) }))
    return { kind: hint === 'pictured' ? 'pictured' : 'choice', options }
  }
  if (hint === 'json') return { kind: 'json' }
  const choice = modelChoiceOf(schema)
  if (choice !== null) return { kind: 'model', choice }
  switch (schema.type) {
    case 'string':
      if (hint === 'table') return { kind: 'table' }
      if (hint === 'code' || hint === 'colour') return { kind: hint, maxLength }
      return { kind: hint === 'multiline' || hint === 'template' || isLong(schema) ? 'multiline' : 'text', maxLength }
    case 'integer':
    case 'number':
      return { kind: 'number', whole: schema.type === 'integer', min, max }
    case 'boolean':
      return { kind: 'boolean' }
    case 'array':
      return listOf(schema.items)
    case undefined:
      return { kind: isPlainObject(schema.properties) ? 'json' : 'any' }
    default:
      return { kind: 'json' }
  }
}

function listOf(raw: unknown): DistributiveOmit<Field, keyof Told> {
  const items = isPlainObject(raw) ? raw : {}
  if (items['x-atelier'] === 'file') return { kind: 'files' }
  const examples: unknown[] = Array.isArray(items.enum)
    ? items.enum
    : Array.isArray(items.examples)
      ? items.examples
      : []
  const suggestions = examples.map(labelOf)
  if (items.type === 'string') return { kind: 'list', of: 'text', suggestions }
  if (items.type === 'number' || items.type === 'integer') return { kind: 'list', of: 'number', suggestions }
  return { kind: 'json' }
}

/** Whether a text may have more than 300 characters, so that it is entered in a field with several lines. */
const isLong = (schema: Schema): boolean => (numberOf(schema.maxLength) ?? 0) > 300

/** A schema that allows null and one other type, such as `anyOf: [x, null]`, gets the field of the other type. */
function withoutNull(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) {
    if (!Array.isArray(schema.type)) return schema
    const [only, ...more] = schema.type.filter((type: unknown) => type !== 'null')
    return more.length === 0 ? { ...schema, type: only } : schema
  }
  const [only, ...more] = anyOf.filter((branch: unknown) => isPlainObject(branch) && branch.type !== 'null')
  return isPlainObject(only) && more.length === 0 ? { ...only, ...rest } : rest
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const labelOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Whether a text is a whole number with too many digits for a number, such as the id of an ad. */
const isLongNumber = (text: string): boolean => /^-?\d+$/.test(text.trim()) && !Number.isSafeInteger(Number(text))

/**
 * Returns the first number in a JSON text that parsing would change, because it is whole and has too many digits, or is too large;
 * null if there is none. A number that the service has sent is never one, because it was written with the digits that it has after
 * parsing.
 */
function inexactIn(json: string): string | null {
  // Strings are matched too, so that digits inside them are skipped.
  for (const [token] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g)) {
    if (/^-?[1-9]\d*$/.test(token) && String(Number(token)) !== token) return token
    if (Math.abs(Number(token)) === Number.POSITIVE_INFINITY) return token
  }
  return null
}

/**
 * Converts a text that was typed where any value is allowed. A JSON string, and a text that is not JSON, stay as typed, and so does a
 * number that would be written otherwise, such as the price `19.90`, and JSON with a number that parsing would change, such as the id
 * of an ad; other JSON is parsed. A blank text is no value (undefined).
 */
export function readAny(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'number') return isWrittenNumber(text) ? value : text
    return typeof value === 'string' || inexactIn(text) !== null ? text : value
  } catch {
    return text
  }
}

/** Converts a value into the text that a user can edit; the reverse of `readAny`. */
export function anyText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}

type Read = { value: unknown } | { problem: string }

/** Returns the parsed JSON, or the reason why it cannot be parsed; if the text is blank, the value is undefined. */
export function readJson(text: string): Read {
  if (text.trim() === '') return { value: undefined }
  try {
    const value: unknown = JSON.parse(text)
    const number = inexactIn(text)
    if (number === null) return { value }
    return {
      problem: `${number} has too many digits for a number, or is too large. Put it in quotes to keep it as it is.`,
    }
  } catch (error) {
    return { problem: `This is not JSON: ${error instanceof Error ? error.message : String(error)}` }
  }
}

/**
 * Works like `readJson`, but a text that is not JSON needs no quotes, such as a URL, and neither does a number that would be written
 * otherwise, such as the price `19.90`, or that has too many digits, such as the id of an ad: these are strings. If the text is
 * blank, the value is null.
 */
export function readJsonOrText(text: string): Read {
  if (text.trim() === '') return { value: null }
  if (isLongNumber(text)) return { value: text.trim() }
  const read = isJson(text) ? readJson(text) : { value: text }
  const isRewritten = 'value' in read && typeof read.value === 'number' && !isWrittenNumber(text)
  return isRewritten ? { value: text.trim() } : read
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
