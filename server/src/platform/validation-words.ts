// In charge of saying what one failed schema keyword means, in the vocabulary of Pydantic v2.
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

type Say = (fault: Fault & { limit: unknown }) => ErrorWords

/** The error for a refused value. */
export function wordsFor(fault: Fault): ErrorWords {
  const keyword = spokenKeyword(fault)
  const limit = fault.schema[keyword]
  return special[keyword]?.({ ...fault, keyword, limit }) ?? keywordWords(keyword, limit, fault.value)
}

/** An enumeration of texts is said by what it expects also to what is no text. */
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

/** What keeps a text from having a format, by format; null where it has it. */
export const formatFaults: Readonly<Record<string, (text: string) => ErrorWords | null>> = {
  'date-time': dateTimeFault,
  uuid: uuidFault,
}

/** The words a schema states itself, in `x-error`, for what its pattern or format refuses. */
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
