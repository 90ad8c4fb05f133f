// Facts about validating values against the schemas of node types: which errors are reported, and which defaults are added.
import { expect, test } from 'vitest'
import { processorMs } from '../../../server/test/support/processor-time.ts'
import { schemaFaults, withDefaults } from './schema-check.ts'

const object = (properties: Record<string, unknown>, more: object = {}) => ({ type: 'object', properties, ...more })

test.each<[object, unknown, string]>([
  [{ type: 'string' }, 1, 'string_type : Input should be a valid string'],
  [{ type: 'integer' }, 1.5, 'int_from_float : Input should be a valid integer, got a number with a fractional part'],
  [{ type: 'integer' }, 'x', 'int_type : Input should be a valid integer'],
  [{ type: ['number', 'null'] }, 'x', 'float_type : Input should be a valid number'],
  [{ type: 'boolean' }, 1, 'bool_type : Input should be a valid boolean'],
  [{ type: 'array' }, {}, 'list_type : Input should be a valid list'],
  [{ type: 'object' }, [], 'dict_type : Input should be a valid dictionary'],
  [{ type: 'null' }, 1, 'none_required : Input should be None'],
  [{ type: 'string', enum: ['a', 'b', 'c'] }, 1, "enum : Input should be 'a', 'b' or 'c'"],
  [{ const: 4 }, 5, 'literal_error : Input should be 4'],
  [{ minimum: 2 }, 1, 'greater_than_equal : Input should be greater than or equal to 2'],
  [{ maximum: 2 }, 3, 'less_than_equal : Input should be less than or equal to 2'],
  [{ exclusiveMinimum: 2 }, 2, 'greater_than : Input should be greater than 2'],
  [{ exclusiveMaximum: 2 }, 2, 'less_than : Input should be less than 2'],
  [{ multipleOf: 0.5 }, 0.3, 'multiple_of : Input should be a multiple of 0.5'],
  [{ minLength: 1 }, '', 'string_too_short : String should have at least 1 character'],
  [{ maxLength: 2 }, 'abc', 'string_too_long : String should have at most 2 characters'],
  [{ pattern: '^a' }, 'b', "string_pattern_mismatch : String should match pattern '^a'"],
  [{ minItems: 1 }, [], 'too_short : List should have at least 1 item after validation, not 0'],
  [{ maxItems: 1 }, [1, 2], 'too_long : List should have at most 1 item after validation, not 2'],
  [{ minProperties: 1 }, {}, 'too_short : Dictionary should have at least 1 item after validation, not 0'],
  [{ uniqueItems: true }, [{ a: 1 }, { a: 1 }], 'value_error : Value error, items must be unique'],
  [
    { anyOf: [{ type: 'string' }, object({ x: { type: 'number' } }, { required: ['x'] })] },
    { x: 'a' },
    'value_error : Value error, this is none of the kinds that are allowed here',
  ],
  [{ not: { type: 'string' } }, 'x', 'value_error : Value error, this value is not allowed here'],
  [
    { propertyNames: { pattern: '^a' } },
    { b: 1 },
    'value_error : Value error, a member has a name that is not allowed here',
  ],
  [object({ a: {} }, { required: ['a'] }), {}, 'missing a: Field required'],
  [
    object({}, { additionalProperties: false }),
    { 'x/~ y%': 1 },
    'extra_forbidden x/~ y%: Extra inputs are not permitted',
  ],
  [{ items: { items: { type: 'string' } } }, [['a'], ['b', 1]], 'string_type 1.1: Input should be a valid string'],
  [
    object({ a: { $ref: '#/$defs/short' } }, { $defs: { short: { maxLength: 1 } } }),
    { a: 'ab' },
    'string_too_long a: String should have at most 1 character',
  ],
  [
    { if: { type: 'number' }, else: { minLength: 2 } },
    'a',
    'string_too_short : String should have at least 2 characters',
  ],
])('%j refuses %j', (schema, value, fault) => {
  expect(schemaFaults(schema, value).map(({ type, loc, msg }) => `${type} ${loc.join('.')}: ${msg}`)).toEqual([
    fault.replace(/^(\w+) : /, '$1 : '),
  ])
})

test('all that is wrong is told, in the order of the schema', () => {
  const schema = object({ a: { type: 'string', minLength: 2 }, b: { type: 'integer' } }, { required: ['c', 'd'] })
  expect(schemaFaults(schema, { a: 'x', b: 'y' }).map(({ type, loc }) => [type, ...loc])).toEqual([
    ['missing', 'c'],
    ['missing', 'd'],
    ['string_too_short', 'a'],
    ['int_type', 'b'],
  ])
})

test('items are told to be unique only where the list has no other fault, elsewhere all the same', () => {
  const options = { type: 'array', items: { type: 'string' }, maxItems: 3, uniqueItems: true, allOf: [{ minItems: 1 }] }
  const schema = object({ options, more: { type: 'integer' } })
  const told = (value: unknown) => schemaFaults(schema, value).map(({ type, loc }) => `${type} ${loc.join('.')}`)
  expect(told({ options: ['a', 'b', 'c'] })).toEqual([])
  expect(told({ options: ['a', 'a'], more: 'x' })).toEqual(['value_error options', 'int_type more'])
  expect(told({ options: ['a', 'a', 'a', 'a'] })).toEqual(['too_long options'])
  expect(told({ options: ['a', 1, 1] })).toEqual(['string_type options.1', 'string_type options.2'])
  expect(told({ options: [] })).toEqual(['too_short options'])
})

test('a list of thousands of items that are not allowed is refused in no time', () => {
  const options = { type: 'array', items: { type: 'string' }, maxItems: 200, uniqueItems: true }
  const kinds = { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'object' }] } }
  const began = processorMs()
  expect(
    schemaFaults(
      options,
      Array.from({ length: 6000 }, (_, index) => ({ '': index })),
    ),
  ).toHaveLength(6001)
  expect(schemaFaults(kinds, Array<number>(20_000).fill(0))).toHaveLength(20_000)
  expect(processorMs() - began).toBeLessThan(1500)
})

test('what a schema takes has no faults, and the schema stays as it was', () => {
  const schema = Object.freeze(object({ a: Object.freeze({ type: 'string' }) }))
  expect(schemaFaults(schema, { a: 'x', more: 1 })).toEqual([])
})

test('a name with half a surrogate pair is told, not thrown', () => {
  const schema = { additionalProperties: { type: 'string' } }
  expect(schemaFaults(schema, { '\ud800': 1 }).map(({ type }) => type)).toEqual(['value_error'])
})

test('defaults fill what is absent, also within objects that are there', () => {
  const size = object({ width: { default: 1 }, height: { default: 2 } })
  const schema = object({
    tone: { default: 'calm' },
    words: { default: ['a'] },
    size,
    made: { ...size, default: {} },
    plain: {},
  })
  expect(withDefaults(schema, { size: { width: 9 }, more: null })).toEqual({
    tone: 'calm',
    words: ['a'],
    size: { width: 9, height: 2 },
    made: { width: 1, height: 2 },
    more: null,
  })
  expect(withDefaults(schema, { tone: null, size: 1, made: null, words: [] })).toEqual({
    tone: null,
    size: 1,
    made: null,
    words: [],
  })
})
