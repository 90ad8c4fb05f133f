// In charge of saying what one failed schema keyword means, in the vocabulary of Pydantic v2.
import { valueError, type Words } from './error-list.ts'
import { readInteger, readNumber } from './lax-text.ts'
import { dateTimeFault, uuidFault } from './text-formats.ts'

/** A value that a keyword of its schema refused. */
export type Fault = {
  keyword: string
  schema: Readonly<Record<string, unknown>>
  value: unknown
  /** True where the value is the text of a query parameter, a path segment or a header. */
  isText: boolean
  /** True where an object is asked for by its fields. */
  isModel: boolean
}

type Say = (fault: Fault & { limit: unknown }) => Words

/** The error for a refused value. */
export function wordsFor(fault: Fault): Words {
  const keyword = spokenKeyword(fault)
  const say = vocabulary[keyword]
  if (say === undefined) throw new Error(`there are no words for the keyword ${keyword}`)
  return say({ ...fault, keyword, limit: fault.schema[keyword] })
}

/** An enumeration of texts is said by what it expects also to what is no text. */
function spokenKeyword({ keyword, schema }: Fault): string {
  if (keyword === 'type' && schema.enum !== undefined) return 'enum'
  return keyword === 'type' && schema.const !== undefined ? 'const' : keyword
}

const vocabulary: Readonly<Record<string, Say>> = {
  type: typeWords,
  enum: ({ limit }) => {
    // A nullable enumeration lists null; Pydantic's list of what is expected does not.
    const expected = listing(Array.isArray(limit) ? limit.filter((value) => value !== null) : [])
    return { type: 'enum', msg: `Input should be ${expected}`, ctx: { expected } }
  },
  const: ({ limit }) => {
    const expected = listing([limit])
    return { type: 'literal_error', msg: `Input should be ${expected}`, ctx: { expected } }
  },
  minimum: ({ limit }) => ({
    type: 'greater_than_equal',
    msg: `Input should be greater than or equal to ${limit}`,
    ctx: { ge: limit },
  }),
  maximum: ({ limit }) => ({
    type: 'less_than_equal',
    msg: `Input should be less than or equal to ${limit}`,
    ctx: { le: limit },
  }),
  minLength: ({ limit }) => ({
    type: 'string_too_short',
    msg: `String should have at least ${count(limit, 'character')}`,
    ctx: { min_length: limit },
  }),
  maxLength: ({ limit }) => ({
    type: 'string_too_long',
    msg: `String should have at most ${count(limit, 'character')}`,
    ctx: { max_length: limit },
  }),
  pattern: ({ limit, schema }) =>
    statedWords(schema) ?? {
      type: 'string_pattern_mismatch',
      msg: `String should match pattern '${limit}'`,
      ctx: { pattern: limit },
    },
  format: ({ limit, schema, value }) =>
    statedWords(schema) ?? formatFaults[String(limit)]?.(String(value)) ?? valueError(`this is not a ${limit}`),
  minItems: ({ limit, value }) => sizeWords('too_short', 'List', limit, Array.isArray(value) ? value.length : 0),
  maxItems: ({ limit, value }) => sizeWords('too_long', 'List', limit, Array.isArray(value) ? value.length : 0),
  minProperties: ({ limit, value }) => sizeWords('too_short', 'Dictionary', limit, Object.keys(Object(value)).length),
  maxProperties: ({ limit, value }) => sizeWords('too_long', 'Dictionary', limit, Object.keys(Object(value)).length),
  uniqueItems: () => valueError('items must be unique'),
  'x-required-any': ({ limit }) => {
    const names = listing(Array.isArray(limit) ? limit : [])
    return valueError(`at least one of ${names} is required`)
  },
}

/** What keeps a text from having a format, by format; null where it has it. */
export const formatFaults: Readonly<Record<string, (text: string) => Words | null>> = {
  'date-time': dateTimeFault,
  uuid: uuidFault,
}

/** The words a schema states itself, in `x-error`, for what its pattern or format refuses. */
function statedWords(schema: Readonly<Record<string, unknown>>): Words | null {
  const stated = schema['x-error']
  if (typeof stated !== 'object' || stated === null) return null
  const type = String(Reflect.get(stated, 'type'))
  const words: Words = { type, msg: String(Reflect.get(stated, 'msg')) }
  const ctx: unknown = Reflect.get(stated, 'ctx')
  if (typeof ctx === 'object' && ctx !== null) words.ctx = { ...ctx }
  else if (type === 'value_error' || type === 'assertion_error') words.ctx = { error: {} }
  return words
}

function typeWords(fault: Fault & { limit: unknown }): Words {
  const { limit, schema, isModel } = fault
  const expected = Array.isArray(limit) ? limit.find((type) => type !== 'null') : limit
  switch (expected) {
    case 'integer':
      return integerWords(fault)
    case 'number':
      return numberWords(fault)
    case 'boolean':
      return fault.isText
        ? { type: 'bool_parsing', msg: 'Input should be a valid boolean, unable to interpret input' }
        : { type: 'bool_type', msg: 'Input should be a valid boolean' }
    case 'array':
      return { type: 'list_type', msg: 'Input should be a valid list' }
    case 'object':
      return isModel
        ? {
            type: 'model_attributes_type',
            msg: 'Input should be a valid dictionary or object to extract fields from',
          }
        : { type: 'dict_type', msg: 'Input should be a valid dictionary' }
    case 'null':
      return { type: 'none_required', msg: 'Input should be None' }
    default:
      return stringWords(schema)
  }
}

function stringWords(schema: Readonly<Record<string, unknown>>): Words {
  if (schema.format === 'date-time') return { type: 'datetime_type', msg: 'Input should be a valid datetime' }
  if (schema.format === 'uuid') {
    return { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' }
  }
  return { type: 'string_type', msg: 'Input should be a valid string' }
}

function integerWords({ value, isText }: Fault): Words {
  const msg = 'Input should be a valid integer'
  if (isText) {
    if (readInteger(String(value)) !== null) return tooLargeInteger
    return { type: 'int_parsing', msg: `${msg}, unable to parse string as an integer` }
  }
  if (typeof value === 'number') return { type: 'int_from_float', msg: `${msg}, got a number with a fractional part` }
  return { type: 'int_type', msg }
}

/** For a number whose neighbours a double cannot tell apart. */
export const tooLargeInteger: Words = {
  type: 'int_parsing_size',
  msg: 'Unable to parse input string as an integer, exceeded maximum size',
}

export const notFinite: Words = { type: 'finite_number', msg: 'Input should be a finite number' }

function numberWords({ value, isText }: Fault): Words {
  const msg = 'Input should be a valid number'
  if (!isText) return typeof value === 'number' ? notFinite : { type: 'float_type', msg }
  if (readNumber(String(value)) !== null) return notFinite
  return { type: 'float_parsing', msg: `${msg}, unable to parse string as a number` }
}

function sizeWords(type: 'too_short' | 'too_long', field_type: string, limit: unknown, actual_length: number): Words {
  const bound = type === 'too_short' ? 'at least' : 'at most'
  const msg = `${field_type} should have ${bound} ${count(limit, 'item')} after validation, not ${actual_length}`
  const limitName = type === 'too_short' ? 'min_length' : 'max_length'
  return { type, msg, ctx: { field_type, [limitName]: limit, actual_length } }
}

function count(limit: unknown, noun: string): string {
  return `${limit} ${noun}${limit === 1 ? '' : 's'}`
}

/** `'a', 'b' or 'c'`. */
function listing(values: readonly unknown[]): string {
  const shown = values.map(pythonText)
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`
}

/** A scalar as Python's repr writes it. */
function pythonText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (typeof value !== 'string') return String(value)
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}
