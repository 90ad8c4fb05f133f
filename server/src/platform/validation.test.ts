// Facts about validating the parts of a request, and about the errors that a client gets.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { compileValidator } from './validation.ts'

const nullable = <T extends object>(schema: T) => ({ ...schema, type: ['string', 'null'] })

const Lookup = Type.Object(
  {
    names: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 500 })),
    ad_ids: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { maxItems: 500 })),
  },
  { additionalProperties: false, 'x-required-any': ['names', 'ad_ids'] },
)

const Task = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 5 }),
    priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    points: Type.Optional(Type.Number()),
    manual_launch: Type.Optional(Type.Boolean()),
    status: Type.Optional(Type.Enum(['backlog', 'in_progress', 'done'])),
    geo: Type.Optional(Type.Unsafe({ type: ['string', 'null'], enum: ['DE', 'US', null] })),
    subject: Type.Optional(Type.Unsafe(nullable({ maxLength: 3 }))),
    deadline_at: Type.Optional(Type.String({ format: 'date-time' })),
    task_owner_id: Type.Optional(Type.String({ format: 'uuid' })),
    kind: Type.Optional(Type.Literal('task')),
    landing: Type.Optional(Type.Unknown()),
    variants: Type.Optional(
      Type.Array(
        Type.Object(
          { key: Type.String(), variation_num: Type.Integer({ minimum: 1 }) },
          { additionalProperties: false },
        ),
        { maxItems: 3 },
      ),
    ),
    tag_slugs: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z]+$' }), { uniqueItems: true })),
    answers: Type.Optional(Type.Record(Type.String(), Type.Integer())),
    ui_state: Type.Optional(Type.Object({})),
  },
  { additionalProperties: false },
)

const checkTask = compileValidator(Task, 'body')
const errorsOf = (members: object) => checkTask({ name: 'a', ...members }).errors
const brief = (members: object) => errorsOf(members).map(({ type, loc }) => [type, ...loc.slice(1)])

describe('a body', () => {
  test('that is valid is handed on as it came, with no defaults filled in', () => {
    const raw = { name: 'a', geo: null, priority: 5 }
    expect(checkTask(raw)).toEqual({ value: raw, errors: [] })
    const withDefault = compileValidator(
      Type.Object({ execute: Type.Optional(Type.Boolean({ default: true })) }),
      'body',
    )
    expect(withDefault({}).value).toEqual({})
  })

  test.each([[null], [undefined]])('that is %s is missing', (raw) => {
    const detail = { type: 'missing', loc: ['body'], msg: 'Field required', input: null }
    expect(checkTask(raw).errors).toEqual([detail])
  })

  test.each([[null], [undefined]])('that may be null may be %s', (raw) => {
    const check = compileValidator({ type: ['object', 'null'], properties: { execute: { type: 'boolean' } } }, 'body')
    expect(check(raw)).toEqual({ value: null, errors: [] })
    expect(check([]).errors.map((error) => error.type)).toEqual(['model_attributes_type'])
  })

  test.each([[[]], ['s'], [5], [true]])('that is %j is no object to take fields from', (raw) => {
    const msg = 'Input should be a valid dictionary or object to extract fields from'
    expect(checkTask(raw).errors).toEqual([{ type: 'model_attributes_type', loc: ['body'], msg, input: raw }])
  })

  test('is told all its errors at once, in the order of the fields, unknown members last', () => {
    const { errors } = checkTask({
      zzz: 1,
      geo: 'XX',
      priority: 0,
      variants: [{ extra: 1, variation_num: 'a' }],
      aaa: 2,
    })
    expect(errors.map(({ type, loc }) => [type, ...loc])).toEqual([
      ['missing', 'body', 'name'],
      ['greater_than_equal', 'body', 'priority'],
      ['enum', 'body', 'geo'],
      ['missing', 'body', 'variants', 0, 'key'],
      ['int_type', 'body', 'variants', 0, 'variation_num'],
      ['extra_forbidden', 'body', 'variants', 0, 'extra'],
      ['extra_forbidden', 'body', 'zzz'],
      ['extra_forbidden', 'body', 'aaa'],
    ])
  })

  test('writes the members of an error in the order type, loc, msg, input, ctx', () => {
    expect(JSON.stringify(errorsOf({ priority: 0 }))).toBe(
      '[{"type":"greater_than_equal","loc":["body","priority"],"msg":"Input should be greater than or equal to 1",' +
        '"input":0,"ctx":{"ge":1}}]',
    )
  })
})

describe('the words for a bad value', () => {
  const words: [object, string, string, object?][] = [
    [{ name: 5 }, 'string_type', 'Input should be a valid string'],
    [{ name: null }, 'string_type', 'Input should be a valid string'],
    [{ name: '' }, 'string_too_short', 'String should have at least 1 character', { min_length: 1 }],
    [{ name: 'abcdef' }, 'string_too_long', 'String should have at most 5 characters', { max_length: 5 }],
    [{ priority: '5' }, 'int_type', 'Input should be a valid integer'],
    [{ priority: true }, 'int_type', 'Input should be a valid integer'],
    [{ priority: 1.5 }, 'int_from_float', 'Input should be a valid integer, got a number with a fractional part'],
    [{ priority: 6 }, 'less_than_equal', 'Input should be less than or equal to 5', { le: 5 }],
    [{ points: '1' }, 'float_type', 'Input should be a valid number'],
    [{ points: Number.NaN }, 'finite_number', 'Input should be a finite number'],
    [{ manual_launch: 'true' }, 'bool_type', 'Input should be a valid boolean'],
    [{ manual_launch: 1 }, 'bool_type', 'Input should be a valid boolean'],
    [
      { status: 'x' },
      'enum',
      "Input should be 'backlog', 'in_progress' or 'done'",
      { expected: "'backlog', 'in_progress' or 'done'" },
    ],
    [{ geo: 5 }, 'enum', "Input should be 'DE' or 'US'", { expected: "'DE' or 'US'" }],
    [{ kind: 'x' }, 'literal_error', "Input should be 'task'", { expected: "'task'" }],
    [{ kind: 5 }, 'literal_error', "Input should be 'task'", { expected: "'task'" }],
    [{ subject: 'long' }, 'string_too_long', 'String should have at most 3 characters', { max_length: 3 }],
    [{ deadline_at: 5 }, 'datetime_type', 'Input should be a valid datetime'],
    [{ deadline_at: '2026-11-21T10:00:00' }, 'timezone_aware', 'Input should have timezone info'],
    [{ task_owner_id: 5 }, 'uuid_type', 'UUID input should be a string, bytes or UUID object'],
    [{ tag_slugs: {} }, 'list_type', 'Input should be a valid list'],
    [{ tag_slugs: ['a', 'a'] }, 'value_error', 'Value error, items must be unique', { error: {} }],
    [{ answers: [] }, 'dict_type', 'Input should be a valid dictionary'],
    [{ ui_state: 'x' }, 'dict_type', 'Input should be a valid dictionary'],
  ]
  test.each(words)('%j: %s', (members, type, msg, ctx) => {
    const [member = '', input] = Object.entries(members)[0] ?? []
    const shown = Number.isNaN(input) ? 'NaN' : input
    const expected = { type, loc: ['body', member], msg, input: shown, ...(ctx === undefined ? {} : { ctx }) }
    expect(errorsOf(members)).toEqual([expected])
  })

  test('an array of models names the model that is none', () => {
    expect(brief({ variants: [5] })).toEqual([['model_attributes_type', 'variants', 0]])
  })

  test('a pattern says itself', () => {
    const error = { type: 'string_pattern_mismatch', msg: "String should match pattern '^[a-z]+$'" }
    expect(errorsOf({ tag_slugs: ['A'] })).toMatchObject([{ ...error, ctx: { pattern: '^[a-z]+$' } }])
  })

  test('x-error replaces the words of a pattern and of a format, and of nothing else', () => {
    const stated = { type: 'value_error', msg: 'Value error, a name needs a letter' }
    const check = compileValidator(
      { type: 'object', properties: { a: { type: 'string', minLength: 2, pattern: '[a-z]', 'x-error': stated } } },
      'body',
    )
    expect(check({ a: '12' }).errors).toEqual([{ ...stated, loc: ['body', 'a'], input: '12', ctx: { error: {} } }])
    expect(check({ a: '1' }).errors.map((error) => error.type)).toEqual(['string_too_short'])
    const time = { type: 'string', format: 'date-time', 'x-error': stated }
    expect(compileValidator({ type: 'array', items: time }, 'body')(['x']).errors).toMatchObject([stated])
    const typed = { type: 'string_too_short', msg: 'String should have at least 1 character', ctx: { min_length: 1 } }
    const blank = compileValidator(
      { type: 'array', items: { type: 'string', pattern: '\\S', 'x-error': typed } },
      'body',
    )
    expect(blank(['  ']).errors).toEqual([{ ...typed, loc: ['body', 0], input: '  ' }])
  })

  test('lengths count characters, not UTF-16 units', () => {
    expect(errorsOf({ name: '😀😀😀😀😀' })).toEqual([])
    expect(brief({ name: '😀😀😀😀😀😀' })).toEqual([['string_too_long', 'name']])
  })

  test('1.0 is an integer', () => {
    expect(errorsOf({ priority: JSON.parse('1.0') })).toEqual([])
  })
})

describe('lists and records', () => {
  test('a list that is too long is one error, whatever its items are', () => {
    const names = Array.from({ length: 501 }, () => 5)
    expect(compileValidator(Lookup, 'body')({ names }).errors).toEqual([
      {
        type: 'too_long',
        loc: ['body', 'names'],
        msg: 'List should have at most 500 items after validation, not 501',
        input: names,
        ctx: { field_type: 'List', max_length: 500, actual_length: 501 },
      },
    ])
  })

  test('a list that is too short says how short', () => {
    const check = compileValidator(Type.Array(Type.Integer(), { minItems: 2 }), 'body')
    const msg = 'List should have at least 2 items after validation, not 1'
    const ctx = { field_type: 'List', min_length: 2, actual_length: 1 }
    expect(check([1]).errors).toEqual([{ type: 'too_short', loc: ['body'], msg, input: [1], ctx }])
  })

  test('a record checks every value, also under a name with a line break, a slash or only digits', () => {
    expect(brief({ answers: { 'a\nb': 'x', 'c/d~e': 'x', 7: 'x', ok: 1 } })).toEqual([
      ['int_type', 'answers', '7'],
      ['int_type', 'answers', 'a\nb'],
      ['int_type', 'answers', 'c/d~e'],
    ])
  })

  test('a record with a pattern refuses other names', () => {
    const record = Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.Integer(), { additionalProperties: false })
    const { errors } = compileValidator(record, 'body')({ a: 1, B: 1, c: 'x' })
    expect(errors.map(({ type, loc }) => [type, ...loc])).toEqual([
      ['int_type', 'body', 'c'],
      ['extra_forbidden', 'body', 'B'],
    ])
  })

  test('a record may be bounded', () => {
    const check = compileValidator(
      { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } },
      'body',
    )
    const msg = 'Dictionary should have at most 1 item after validation, not 2'
    expect(check({ a: 1, b: 2 }).errors).toMatchObject([{ type: 'too_long', msg, loc: ['body'] }])
  })

  test('a member named __proto__ is a member like any other', () => {
    const { errors } = checkTask(JSON.parse('{"name":"a","__proto__":{"priority":0}}'))
    expect(errors.map(({ type, loc }) => [type, ...loc])).toEqual([['extra_forbidden', 'body', '__proto__']])
    expect(brief(JSON.parse('{"answers":{"__proto__":"x"}}'))).toEqual([['int_type', 'answers', '__proto__']])
  })
})

describe('x-required-any', () => {
  const check = compileValidator(Lookup, 'body')
  test('refuses an object that has none of the names', () => {
    const msg = "Value error, at least one of 'names' or 'ad_ids' is required"
    expect(check({}).errors).toEqual([{ type: 'value_error', loc: ['body'], msg, input: {}, ctx: { error: {} } }])
    expect(check({ name: [] }).errors.map((error) => error.type)).toEqual(['value_error', 'extra_forbidden'])
  })

  test('is met by an empty list, and null is not a list', () => {
    expect(check({ names: [] }).errors).toEqual([])
    expect(check({ ad_ids: null }).errors).toMatchObject([{ type: 'list_type', loc: ['body', 'ad_ids'], input: null }])
  })
})

describe('query, path and header text', () => {
  const Page = Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 24 })),
      ratio: Type.Optional(Type.Number()),
      included: Type.Optional(Type.Boolean()),
      search: Type.Optional(Type.String()),
      since: Type.Optional(Type.Unsafe({ type: ['integer', 'null'] })),
    },
    { additionalProperties: false },
  )
  const check = compileValidator(Page, 'query')

  test('is converted', () => {
    const raw = { limit: '5', ratio: '1e1', included: 'yes', search: '5', since: '9' }
    const value = { limit: 5, ratio: 10, included: true, search: '5', since: 9 }
    expect(check(raw)).toEqual({ value, errors: [] })
    expect(raw.limit).toBe('5')
  })

  test.each([
    ['limit', '0', 'greater_than_equal'],
    ['limit', '', 'int_parsing'],
    ['limit', '1.5', 'int_parsing'],
    ['limit', '99999999999999999999', 'less_than_equal'],
    ['since', '99999999999999999999', 'int_parsing_size'],
    ['ratio', 'inf', 'finite_number'],
    ['ratio', 'x', 'float_parsing'],
    ['included', '2', 'bool_parsing'],
    ['limi', '5', 'extra_forbidden'],
  ])('%s=%s is %s, and shown as it came', (name, input, type) => {
    expect(check({ [name]: input }).errors).toMatchObject([{ type, loc: ['query', name], input }])
  })

  test('takes an object without prototype', () => {
    const raw: Record<string, string> = Object.create(null)
    raw.limit = '5'
    expect(check(raw)).toEqual({ value: { limit: 5 }, errors: [] })
  })

  test('never shows the other headers where one is missing', () => {
    const header = compileValidator(Type.Object({ 'webhook-id': Type.String() }), 'header')
    expect(header({ authorization: 'Bearer secret' }).errors).toEqual([
      { type: 'missing', loc: ['header', 'webhook-id'], msg: 'Field required', input: null },
    ])
  })
})

describe('a hostile request', () => {
  test('is told a thousand errors at most', () => {
    const check = compileValidator(Type.Array(Type.String()), 'body')
    expect(check(Array.from({ length: 500 }, () => 5)).errors).toHaveLength(500)
    expect(check(Array.from({ length: 100_000 }, () => 5)).errors).toHaveLength(1000)
    const closed = compileValidator(Type.Object({}, { additionalProperties: false }), 'body')
    const unknown = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`m${index}`, 0]))
    expect(closed(unknown).errors).toHaveLength(1000)
  })

  test('reads the beginning of what it sent, where that is over 2 KB', () => {
    expect(errorsOf({ priority: 'x'.repeat(2046) })[0]?.input).toHaveLength(2046)
    expect(errorsOf({ priority: 'x'.repeat(2047) })[0]?.input).toBe(`${'x'.repeat(200)}…`)
    const list = Array.from({ length: 2000 }, () => 'é')
    expect(errorsOf({ priority: list })[0]?.input).toBe(`${JSON.stringify(list).slice(0, 200)}…`)
    let deep: unknown = 1
    for (let level = 0; level < 100_000; level += 1) deep = [deep]
    expect(errorsOf({ priority: deep })[0]?.input).toBe(`${'['.repeat(200)}…`)
  })

  test('cannot break a comparison of items', () => {
    expect(brief({ tag_slugs: [{ valueOf: 1 }, { valueOf: 1 }] })).toEqual([
      ['string_type', 'tag_slugs', 0],
      ['string_type', 'tag_slugs', 1],
    ])
  })

  test('does not make the answer large with long or repeated names', () => {
    const inner = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`m${index}`, 0]))
    const record = Type.Record(Type.String(), Type.Object({}, { additionalProperties: false }))
    const { errors } = compileValidator(record, 'body')({ ['k'.repeat(100_000)]: inner })
    expect(errors).toHaveLength(1000)
    expect(errors[0]?.loc).toEqual(['body', `${'k'.repeat(200)}…`, 'm0'])
  })

  test('with the same large object missing many members stays under 2 MB', () => {
    const names = Array.from({ length: 900 }, (_, index) => `field_${index}`)
    const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]))
    const { errors } = compileValidator(
      { type: 'object', required: names, properties },
      'body',
    )({ a: 'x'.repeat(2000) })
    expect(JSON.stringify(errors).length).toBeLessThan(2_000_000)
  })
})

test('what is refused is exactly what Ajv refuses of the whole', () => {
  // This schema must not contain `x-` keywords or formats, because only our Ajv instance knows them.
  const { deadline_at: _at, task_owner_id: _id, ...properties } = Task.properties
  const schema = Type.Object(properties, { additionalProperties: false })
  const whole = new Ajv2020({ strict: true }).compile(schema)
  const check = compileValidator(schema, 'body')
  const names = [...Object.keys(properties), 'key', 'variation_num', 'other']
  const scalar = fc.constantFrom(null, true, 0, 1, 1.5, 7, '', 'a', 'A', 'abcdef', 'backlog', 'DE', 'task')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, scalar, fc.array(tie('value'), { maxLength: 5 }), tie('object')),
    object: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
  }))
  const likely = fc.record(
    {
      name: fc.constantFrom('a', 'abcdef', 5),
      priority: fc.constantFrom(1, 9, '1'),
      geo: fc.constantFrom(null, 'DE', 'x'),
      variants: fc.array(fc.record({ key: fc.constantFrom('k', 1), variation_num: fc.integer({ min: 0, max: 2 }) })),
      tag_slugs: fc.array(fc.constantFrom('a', 'b', 'C')),
      answers: fc.dictionary(fc.string(), fc.constantFrom(1, 'x')),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.oneof(value, likely), (raw) => {
      if (raw === null) return
      expect(check(raw).errors.length === 0).toBe(whole(raw))
    }),
    { numRuns: 2000 },
  )
})
