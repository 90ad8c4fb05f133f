// In charge of the messages about refused values. Every validator and parser uses the error types and messages of Pydantic v2; a
// rule for which Pydantic has no error type is reported as a `value_error`.

/** An error without its location. `ctx` contains the limits that `msg` mentions. */
export type ErrorWords = { type: string; msg: string; ctx?: Record<string, unknown> }

export type ErrorLoc = (string | number)[]

/** Creates one entry of a 422 body. `input` is the value that is refused. */
export function errorAt(
  loc: ErrorLoc,
  { type, msg, ctx }: ErrorWords,
  input: unknown,
): ErrorWords & { loc: ErrorLoc; input: unknown } {
  return { type, loc, msg, input, ...(ctx === undefined ? {} : { ctx }) }
}

export const missing: ErrorWords = { type: 'missing', msg: 'Field required' }
/** The error for a missing member that is required only because of the values of other members; `why` names the reason. */
export const missingBecause = (why: string): ErrorWords => ({ type: 'missing', msg: `Field required: ${why}` })
export const extraForbidden: ErrorWords = { type: 'extra_forbidden', msg: 'Extra inputs are not permitted' }

/** The error for a rule that Pydantic does not have. By default `ctx.error` is an empty object, as in the errors of FastAPI. */
export const valueError = (why: string, error: unknown = {}): ErrorWords => ({
  type: 'value_error',
  msg: `Value error, ${why}`,
  ctx: { error },
})

export const jsonInvalid = (error: string): ErrorWords => ({
  type: 'json_invalid',
  msg: `Invalid JSON: ${error}`,
  ctx: { error },
})

/** The errors for values of a wrong type. */
export const wrongType = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  integer: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'float_type', msg: 'Input should be a valid number' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  list: { type: 'list_type', msg: 'Input should be a valid list' },
  dictionary: { type: 'dict_type', msg: 'Input should be a valid dictionary' },
  /** The error for a value that should be an object with declared members. */
  model: { type: 'model_attributes_type', msg: 'Input should be a valid dictionary or object to extract fields from' },
  null: { type: 'none_required', msg: 'Input should be None' },
  datetime: { type: 'datetime_type', msg: 'Input should be a valid datetime' },
  uuid: { type: 'uuid_type', msg: 'UUID input should be a string, bytes or UUID object' },
} as const satisfies Record<string, ErrorWords>

/** The errors for texts that cannot be parsed as the required type. */
export const unreadable = {
  integer: { type: 'int_parsing', msg: `${wrongType.integer.msg}, unable to parse string as an integer` },
  number: { type: 'float_parsing', msg: `${wrongType.number.msg}, unable to parse string as a number` },
  boolean: { type: 'bool_parsing', msg: `${wrongType.boolean.msg}, unable to interpret input` },
} as const satisfies Record<string, ErrorWords>

export const notUnicode: ErrorWords = {
  type: 'string_unicode',
  msg: `${wrongType.string.msg}, unable to parse raw data as a unicode string`,
}

export const unreadableUuid = (error: string): ErrorWords => ({
  type: 'uuid_parsing',
  msg: `Input should be a valid UUID, ${error}`,
  ctx: { error },
})

export const unreadableDatetime = (error: string): ErrorWords => ({
  type: 'datetime_from_date_parsing',
  msg: `Input should be a valid datetime or date, ${error}`,
  ctx: { error },
})
export const impossibleDatetime = (error: string): ErrorWords => ({
  type: 'datetime_parsing',
  msg: `Input should be a valid datetime, ${error}`,
  ctx: { error },
})
export const withoutTimezone: ErrorWords = { type: 'timezone_aware', msg: 'Input should have timezone info' }

export const fractional: ErrorWords = {
  type: 'int_from_float',
  msg: `${wrongType.integer.msg}, got a number with a fractional part`,
}
/** The error for an integer that is too large to be stored exactly as a double. */
export const tooLargeInteger: ErrorWords = {
  type: 'int_parsing_size',
  msg: 'Unable to parse input string as an integer, exceeded maximum size',
}
export const notFinite: ErrorWords = { type: 'finite_number', msg: 'Input should be a finite number' }

/** The error for a value that is not in an enumeration. The message does not list null, unless null is the only allowed value. */
export const notOneOf = (allowed: readonly unknown[], type: 'enum' | 'literal_error' = 'enum'): ErrorWords => {
  const expected = listing(allowed.filter((value) => value !== null || allowed.length === 1))
  return { type, msg: `Input should be ${expected}`, ctx: { expected } }
}

const bound =
  (type: string, name: string, words: string) =>
  (limit: unknown): ErrorWords => ({ type, msg: `Input should be ${words} ${limit}`, ctx: { [name]: limit } })

export const tooSmall = bound('greater_than_equal', 'ge', 'greater than or equal to')
export const tooLarge = bound('less_than_equal', 'le', 'less than or equal to')

export const textTooShort = (min_length: unknown): ErrorWords => ({
  type: 'string_too_short',
  msg: `String should have at least ${count(min_length, 'character')}`,
  ctx: { min_length },
})
export const textTooLong = (max_length: unknown): ErrorWords => ({
  type: 'string_too_long',
  msg: `String should have at most ${count(max_length, 'character')}`,
  ctx: { max_length },
})

type Sized = 'List' | 'Dictionary' | 'Filter'

export const tooFew = (field_type: Sized, min_length: unknown, actual_length: number): ErrorWords => ({
  type: 'too_short',
  msg: `${field_type} should have at least ${count(min_length, 'item')} after validation, not ${actual_length}`,
  ctx: { field_type, min_length, actual_length },
})
export const tooMany = (field_type: Sized, max_length: unknown, actual_length: number): ErrorWords => ({
  type: 'too_long',
  msg: `${field_type} should have at most ${count(max_length, 'item')} after validation, not ${actual_length}`,
  ctx: { field_type, max_length, actual_length },
})

const entries = (value: unknown): number => (Array.isArray(value) ? value.length : Object.keys(Object(value)).length)

/** The errors of JSON Schema keywords. `type` and `required` are not here: their errors need more than the limit and the value. */
export const keywordErrors: Readonly<Record<string, (limit: unknown, value: unknown) => ErrorWords>> = {
  enum: (limit) => notOneOf(Array.isArray(limit) ? limit : []),
  const: (limit) => notOneOf([limit], 'literal_error'),
  minimum: tooSmall,
  maximum: tooLarge,
  exclusiveMinimum: bound('greater_than', 'gt', 'greater than'),
  exclusiveMaximum: bound('less_than', 'lt', 'less than'),
  multipleOf: bound('multiple_of', 'multiple_of', 'a multiple of'),
  minLength: textTooShort,
  maxLength: textTooLong,
  pattern: (pattern) => ({
    type: 'string_pattern_mismatch',
    msg: `String should match pattern '${pattern}'`,
    ctx: { pattern },
  }),
  format: (limit) => valueError(`this is not a ${limit}`),
  minItems: (limit, value) => tooFew('List', limit, entries(value)),
  maxItems: (limit, value) => tooMany('List', limit, entries(value)),
  minProperties: (limit, value) => tooFew('Dictionary', limit, entries(value)),
  maxProperties: (limit, value) => tooMany('Dictionary', limit, entries(value)),
  uniqueItems: () => valueError('items must be unique'),
  contains: () => valueError('the list lacks an item that it must have'),
  propertyNames: () => valueError('a member has a name that is not allowed here'),
  dependentRequired: () => valueError('a member is missing that another one needs beside it'),
  not: () => valueError('this value is not allowed here'),
  oneOf: () => valueError('this must be exactly one of the kinds that are allowed here'),
  anyOf: () => valueError('this is none of the kinds that are allowed here'),
}

/** The error for a value of a wrong type. If several types are allowed, the message names the first one other than null. */
export function typeError(types: unknown, value: unknown): ErrorWords {
  const expected: unknown = Array.isArray(types) ? types.find((type) => type !== 'null') : types
  switch (expected) {
    case 'integer':
      return typeof value === 'number' ? fractional : wrongType.integer
    case 'number':
      return wrongType.number
    case 'boolean':
      return wrongType.boolean
    case 'array':
      return wrongType.list
    case 'object':
      return wrongType.dictionary
    case 'null':
      return wrongType.null
    default:
      return wrongType.string
  }
}

/** Joins values into a list in words, such as `'a', 'b' or 'c'`. */
export function listing(values: readonly unknown[]): string {
  const shown = values.map(pythonText)
  const last = shown.pop() ?? ''
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`
}

/** Writes a scalar in the way in which Python's `repr` does. */
function pythonText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return String(value)
  const quote = value.includes("'") && !value.includes('"') ? '"' : "'"
  return quote + value.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`) + quote
}

const count = (limit: unknown, noun: string): string => `${limit} ${noun}${limit === 1 ? '' : 's'}`
