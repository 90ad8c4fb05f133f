// In charge of making the error message for a value that a schema keyword has refused, in the words of Pydantic v2.
import {
  type ErrorWords,
  keywordErrors,
  listing,
  notFinite,
  tooLargeInteger,
  typeError,
  unreadable,
  valueError,
  wrongType,
} from '@atelier/contract/wire/validation-errors.ts'
import { readInteger, readNumber } from './lax-text.ts'
import { dateTimeFault, uuidFault } from './text-formats.ts'

/** A refused value, and the schema keyword that refused it. */
export type Fault = {
  keyword: string
  schema: Readonly<Record<string, unknown>>
  value: unknown
  /** Whether the value is a text from a query parameter, a path segment or a header. */
  isText: boolean
  /** Whether the schema declares members for the object; such an object is a model in Pydantic. */
  isModel: boolean
}

type Say = (fault: Fault & { limit: unknown }) => ErrorWords

/** Returns the error message for a refused value. */
export function wordsFor(fault: Fault): ErrorWords {
  const keyword = spokenKeyword(fault)
  const limit = fault.schema[keyword]
  return special[keyword]?.({ ...fault, keyword, limit }) ?? keywordWords(keyword, limit, fault.value)
}

/** Returns the keyword for the message. If a value has the wrong type for an enumeration, the message lists the allowed values. */
function spokenKeyword({ keyword, schema }: Fault): string {
  if (keyword === 'type' && schema.enum !== undefined) return 'enum'
  return keyword === 'type' && schema.const !== undefined ? 'const' : keyword
}

const special: Readonly<Record<string, Say>> = {
  type: typeWords,
  pattern: ({ limit, schema, value }) => statedWords(schema) ?? keywordWords('pattern', limit, value),
  format: ({ limit, schema, value }) =>
    statedWords(schema) ?? formatFaults[String(limit)]?.(String(value)) ?? keywordWords('format', limit, value),
  'x-required-any': ({ limit }) =>
    valueError(`at least one of ${listing(Array.isArray(limit) ? limit : [])} is required`),
}

function keywordWords(keyword: string, limit: unknown, value: unknown): ErrorWords {
  const say = keywordErrors[keyword]
  if (say === undefined) throw new Error(`there are no words for the keyword ${keyword}`)
  return say(limit, value)
}

/** For each format, a function that returns the error of a text without that format, or null if the text has the format. */
export const formatFaults: Readonly<Record<string, (text: string) => ErrorWords | null>> = {
  'date-time': dateTimeFault,
  uuid: uuidFault,
}

/** Returns the message that a schema defines in `x-error`, for values that its pattern or format refuses. */
function statedWords(schema: Readonly<Record<string, unknown>>): ErrorWords | null {
  const stated = schema['x-error']
  if (typeof stated !== 'object' || stated === null) return null
  const type = String(Reflect.get(stated, 'type'))
  const words: ErrorWords = { type, msg: String(Reflect.get(stated, 'msg')) }
  const ctx: unknown = Reflect.get(stated, 'ctx')
  if (typeof ctx === 'object' && ctx !== null) words.ctx = { ...ctx }
  else if (type === 'value_error' || type === 'assertion_error') words.ctx = { error: {} }
  return words
}

function typeWords(fault: Fault & { limit: unknown }): ErrorWords {
  const { limit, schema, value, isText, isModel } = fault
  const expected: unknown = Array.isArray(limit) ? limit.find((type) => type !== 'null') : limit
  if (expected === 'integer' && isText)
    return readInteger(String(value)) === null ? unreadable.integer : tooLargeInteger
  if (expected === 'number' && isText) return readNumber(String(value)) === null ? unreadable.number : notFinite
  if (expected === 'number' && typeof value === 'number') return notFinite
  if (expected === 'boolean' && isText) return unreadable.boolean
  if (expected === 'object' && isModel) return wrongType.model
  if (expected === 'string' && schema.format === 'date-time') return wrongType.datetime
  if (expected === 'string' && schema.format === 'uuid') return wrongType.uuid
  return typeError(expected, value)
}
