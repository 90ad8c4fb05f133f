// Facts about which texts, groups and rules of a filter are accepted, including hostile input.
import { filterFields, filterOperators } from '@atelier/contract/filter-fields.ts'
import { defaultVocabulary, valuesOf } from '@atelier/contract/vocabulary.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFilter } from './filter-parse.ts'
import { compileFilter } from './filter-sql.ts'

const vocabularies = valuesOf(defaultVocabulary)
const parse = (query: unknown) => parseFilter(typeof query === 'string' ? query : JSON.stringify(query), vocabularies)

const rule = (field: string, operator: string, value?: unknown, more: object = {}) => ({
  field,
  operator,
  value,
  ...more,
})
const and = (...rules: unknown[]) => ({ combinator: 'and', rules })

/** Returns the errors in the form "loc type". The `query.query` at the beginning of each `loc` is left out. */
function errorsOf(query: unknown): string[] {
  const parsed = parse(query)
  if (!('errors' in parsed)) return []
  for (const { loc } of parsed.errors) expect(loc.slice(0, 2)).toEqual(['query', 'query'])
  return parsed.errors.map(({ loc, type }) => [loc.slice(2).join('.'), type].filter(Boolean).join(' '))
}

const nested = (depth: number): object => (depth === 1 ? and(rule('name', '=', 'a')) : and(nested(depth - 1)))

describe('the text of a filter', () => {
  test('has at most 16 KB, counted in bytes', () => {
    const padded = (characters: string) => JSON.stringify({ ...and(rule('name', '=', 'a')), id: characters })
    const room = 16_384 - padded('').length
    expect(errorsOf(padded('x'.repeat(room)))).toEqual([])
    expect(errorsOf(padded('x'.repeat(room + 1)))).toEqual(['bytes_too_long'])
    expect(errorsOf(padded('é'.repeat(room / 2 + 1)))).toEqual(['bytes_too_long'])
  })

  test('must be JSON', () => {
    const parsed = parse('{"combinator":')
    expect(parsed).toEqual({
      errors: [
        {
          type: 'json_invalid',
          loc: ['query', 'query'],
          msg: 'Invalid JSON: Unexpected end of JSON input',
          ctx: { error: 'Unexpected end of JSON input' },
          input: '{"combinator":',
        },
      ],
    })
    for (const text of ['', 'nul', '{"a":1}x', "{'a':1}", 'NaN']) expect(errorsOf(text)).toEqual(['json_invalid'])
  })

  test.each(['null', '[]', '"and"', '1', 'true'])('must be an object, not %s', (text) => {
    expect(errorsOf(text)).toEqual(['model_attributes_type'])
  })

  test.each(['[', '{"a":', '{"rules":[', '[[[['])('that opens %s for 16 KB is refused', (open) => {
    expect(errorsOf(open.repeat(Math.floor(16_384 / open.length)))).toEqual(['json_invalid'])
    expect(errorsOf(open.repeat(20_000))).toEqual(['bytes_too_long'])
  })

  test('may hold brackets in strings', () => {
    expect(errorsOf(and(rule('name', '=', `\\"${'['.repeat(400)}`)))).toEqual([])
  })

  test('may hold numbers no number type can, which are then refused where they stand', () => {
    const overflow = '{"combinator":"and","rules":[{"field":"creation_points","operator":"=","value":-1e999}]}'
    expect(errorsOf(overflow)).toEqual(['rules.0.value finite_number'])
  })

  test('holds neither NUL nor lone surrogates, wherever they stand', () => {
    expect(errorsOf('{"combinator":"and","rules":[{"field":"name","operator":"=","value":"a\\u0000"}]}')).toEqual([
      'rules.0.value value_error',
    ])
    expect(errorsOf('{"combinator":"and","rules":[{"field":"name","operator":"in","value":["\\ud800"]}]}')).toEqual([
      'rules.0.value.0 string_unicode',
    ])
    expect(errorsOf('{"combinator":"and","rules":[],"id":"\\udfff"}')).toEqual(['id string_unicode'])
    expect(errorsOf('{"combinator":"and","rules":[],"\\u0000":1}')).toEqual(['\0 value_error', '\0 extra_forbidden'])
  })
})

describe('a group', () => {
  test('that asks nothing is no filter', () => {
    expect(parse(and())).toEqual({ group: null })
    expect(parse({ combinator: 'or', rules: [], not: false })).toEqual({ group: null })
    expect(parse({ combinator: 'and', rules: [], not: true })).toEqual({
      group: { combinator: 'and', rules: [], not: true },
    })
  })

  test('needs combinator and rules', () => {
    expect(errorsOf({})).toEqual(['combinator missing', 'rules missing'])
    expect(errorsOf({ combinator: null, rules: null })).toEqual(['combinator enum', 'rules list_type'])
    expect(errorsOf(and({ combinator: 'or' }))).toEqual(['rules.0.rules missing'])
  })

  test('combines by and or or, never by xor', () => {
    const parsed = parse({ combinator: 'xor', rules: [] })
    expect(parsed).toMatchObject({
      errors: [
        { type: 'enum', msg: "Input should be 'and' or 'or'", ctx: { expected: "'and' or 'or'" }, input: 'xor' },
      ],
    })
    expect(errorsOf({ combinator: 'AND', rules: [] })).toEqual(['combinator enum'])
  })

  test('is negated by a boolean only', () => {
    expect(errorsOf({ ...and(), not: 'x' })).toEqual(['not bool_type'])
    expect(errorsOf({ ...and(), not: null })).toEqual(['not bool_type'])
  })

  test('holds rules and groups, not words: independent combinators are refused', () => {
    const queries = { rules: [rule('name', '=', 'a'), 'and', rule('name', '=', 'b')] }
    expect(errorsOf(queries)).toEqual(['combinator missing', 'rules.1 extra_forbidden'])
    expect(errorsOf(and(1, null, []))).toEqual([
      'rules.0 model_attributes_type',
      'rules.1 model_attributes_type',
      'rules.2 model_attributes_type',
    ])
  })

  test('takes the noise of react-querybuilder and nothing else', () => {
    expect(errorsOf({ ...and(), id: 'g', path: [], disabled: true, muted: false })).toEqual([])
    expect(errorsOf({ ...and(), meta: {}, combinatorPreceding: 'or', field: 'name' })).toEqual([
      'meta extra_forbidden',
      'combinatorPreceding extra_forbidden',
      'field extra_forbidden',
    ])
    expect(errorsOf('{"combinator":"and","rules":[],"__proto__":{"rules":[]},"constructor":1}')).toEqual([
      '__proto__ extra_forbidden',
      'constructor extra_forbidden',
    ])
  })

  test('nests at most five deep', () => {
    expect(errorsOf(nested(5))).toEqual([])
    expect(errorsOf(nested(6))).toEqual(['rules.0.rules.0.rules.0.rules.0.rules.0 value_error'])
    expect(errorsOf(nested(12))).toEqual(['rules.0.rules.0.rules.0.rules.0.rules.0 value_error'])
  })

  test('holds at most 50 rules in all its groups', () => {
    const some = (count: number) => Array.from({ length: count }, () => rule('name', '=', 'a'))
    expect(errorsOf(and(...some(25), and(...some(25))))).toEqual([])
    expect(parse(and(...some(25), and(...some(26))))).toMatchObject({
      errors: [{ type: 'too_long', loc: ['query', 'query'], ctx: { max_length: 50, actual_length: 51 } }],
    })
  })
})

describe('a rule', () => {
  test('needs field, operator and, but for the null tests, a value', () => {
    expect(errorsOf(and({}))).toEqual(['rules.0.field missing', 'rules.0.operator missing'])
    expect(errorsOf(and(rule('name', '=')))).toEqual(['rules.0.value missing'])
    expect(errorsOf(and(rule('topic', 'null'), rule('topic', 'notNull', { anything: 1 })))).toEqual([])
  })

  test.each(['id', 'automation', 'Name', 'name ', '', '~', '__proto__', 'constructor', 'toString', 5, null, ['name']])(
    'names a field of the catalogue, not %j',
    (field) => {
      expect(errorsOf(and({ field, operator: '=', value: 'a' }))).toEqual(['rules.0.field enum'])
    },
  )

  test.each(['==', 'IN', '~', 'xor', '__proto__', '= 1; drop table tasks --', 1, null])(
    'uses a known operator, not %j',
    (operator) => {
      expect(errorsOf(and({ field: 'name', operator, value: 'a' }))).toEqual(['rules.0.operator enum'])
      expect(errorsOf(and({ field: 'nope', operator, value: 'a' }))).toEqual([
        'rules.0.field enum',
        'rules.0.operator enum',
      ])
    },
  )

  test.each([
    ['status', '<'],
    ['geo', 'contains'],
    ['name', 'between'],
    ['name', 'null'],
    ['priority', 'contains'],
    ['manual_launch', 'in'],
    ['assignee_id', '>'],
    ['created_at', 'beginsWith'],
    ['varied_elements', '='],
  ])('on %s does not offer %s, and says what it offers', (field, operator) => {
    const parsed = parse(and(rule(field, operator, 'a')))
    expect(parsed).toMatchObject({ errors: [{ type: 'enum', loc: ['query', 'query', 'rules', 0, 'operator'] }] })
    expect(JSON.stringify(parsed)).toMatch(/Input should be '.+' or '.+'/)
  })

  test('compares with values, never with fields, expressions or nested groups', () => {
    expect(errorsOf(and(rule('name', '=', 'a', { valueSource: 'value' })))).toEqual([])
    expect(errorsOf(and(rule('name', '=', 'topic', { valueSource: 'field' })))).toEqual(['rules.0.valueSource enum'])
    expect(errorsOf(and(rule('name', '=', 'a', { valueSource: null })))).toEqual(['rules.0.valueSource enum'])
    const more = { match: { mode: 'all' }, lhs: {}, combinatorPreceding: 'and' }
    expect(errorsOf(and(rule('name', '=', 'a', more)))).toEqual([
      'rules.0.match extra_forbidden',
      'rules.0.lhs extra_forbidden',
      'rules.0.combinatorPreceding extra_forbidden',
    ])
  })

  test('takes the noise of react-querybuilder', () => {
    const noise = { id: 'r', path: [0], meta: { a: [1] }, disabled: false, muted: false }
    expect(errorsOf(and(rule('name', '=', 'a', noise)))).toEqual([])
    expect(errorsOf(and(rule('name', '=', 'a', { disabled: 'yes', muted: 1 })))).toEqual([
      'rules.0.disabled bool_type',
      'rules.0.muted bool_type',
    ])
  })

  test('that is muted is as good as absent, however unfinished; one that is disabled still counts', () => {
    const kept = rule('name', '=', 'a')
    expect(parse(and(kept, { muted: true, field: 'nope' }, { ...and({}), muted: true }))).toEqual(parse(and(kept)))
    expect(parse({ ...and(kept), muted: true })).toEqual({ group: null })
    expect(parse(and({ ...kept, disabled: true }))).toEqual(parse(and(kept)))
  })

  test('reports everything that is wrong with it, and with its neighbours, at once', () => {
    const query = { combinator: 'nor', rules: [rule('geo', '=', 'Atlantis', { x: 1 }), rule('priority', '=', 'high')] }
    expect(errorsOf(query)).toEqual([
      'combinator enum',
      'rules.0.value enum',
      'rules.0.x extra_forbidden',
      'rules.1.value int_parsing',
    ])
    expect(errorsOf(and(...Array.from({ length: 400 }, () => 0)))).toHaveLength(100)
  })
})

describe('hostile input', () => {
  const attack = fc.constantFrom(
    '__proto__',
    'constructor',
    '"; drop table tasks --',
    '1=1) or (1',
    '$1',
    '~',
    '\0',
    '',
  )
  const names = fc.constantFrom(...filterFields.map(({ name }) => name))
  const word = fc.oneof({ weight: 6, arbitrary: names }, attack, fc.string({ unit: 'binary' }))
  const operator = fc.oneof({ weight: 6, arbitrary: fc.constantFrom<string>(...filterOperators) }, attack)
  const scalar = fc.oneof(
    attack,
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant('META'),
  )
  const value = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.jsonValue())
  const stray = fc.oneof(
    { weight: 20, arbitrary: fc.constant({}) },
    fc.dictionary(attack, fc.jsonValue(), { maxKeys: 2 }),
  )
  const { group } = fc.letrec((tie) => ({
    rule: fc
      .tuple(fc.record({ field: word, operator, value }), stray)
      .map(([known, extra]) => ({ ...extra, ...known })),
    group: fc.record({
      combinator: fc.oneof({ weight: 9, arbitrary: fc.constantFrom('and', 'or') }, attack),
      rules: fc.array(fc.oneof({ depthSize: 'small' }, tie('rule'), tie('group'), fc.constant('and')), {
        maxLength: 3,
      }),
      not: fc.oneof({ weight: 9, arbitrary: fc.boolean() }, fc.jsonValue()),
    }),
  }))
  const input = fc.oneof(
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 8, arbitrary: group.map((query) => JSON.stringify(query)) },
  )

  const constants = [
    ...filterFields.map(({ name }) => `"${name}"`),
    ...['and', 'or', 'not', 'is', 'null', 'true', 'false', 'between', 'any', 'like', 'lower', 'cardinality'],
    ...[
      'case',
      'when',
      'then',
      'else',
      'end',
      'octet_length',
      'char_length',
      'normalize',
      'translate',
      'replace',
      'chr',
    ],
    ...['split_part', '"?search_text"?', "'ςıſ'", "'σis'", "'ß'", "'ss'", "'i'", '\\|\\|', ',', '1', '2', '10', '775'],
    ...['&&', '@>', '<=', '>=', '=', '<', '>', '\\(', '\\)', '0', '\\$\\d+'],
    ...['text', 'int4', 'float8', 'bool', 'timestamptz', 'uuid', 'task_status', 'test_status'].map(
      (type) => `::${type}(?:\\[\\])?`,
    ),
  ]
  const onlyConstants = new RegExp(`^(?:${constants.join('|')}| )*$`)

  test('never throws, and never reaches the text of the SQL', () => {
    let accepted = 0
    fc.assert(
      fc.property(input, (raw) => {
        const parsed = parse(raw)
        if ('errors' in parsed) {
          expect(parsed.errors.length).toBeGreaterThan(0)
          for (const { loc, type, msg } of JSON.parse(JSON.stringify(parsed)).errors) {
            expect([loc[0], loc[1], typeof type, typeof msg]).toEqual(['query', 'query', 'string', 'string'])
          }
        } else if (parsed.group) {
          accepted += 1
          const bound: unknown[] = []
          const sql = compileFilter(parsed.group, (bind) => `$${bound.push(bind)}`)
          expect(sql).toMatch(onlyConstants)
        }
      }),
      { numRuns: 3000 },
    )
    expect(accepted).toBeGreaterThan(50)
  })
})
