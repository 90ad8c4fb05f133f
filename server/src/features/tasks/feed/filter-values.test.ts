// Facts about how the value of a rule is parsed, for each type of field.
import { defaultVocabulary, valuesOf } from '@atelier/contract/vocabulary.ts'
import { toArray } from '@react-querybuilder/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseFilter } from './filter-parse.ts'
import { readList } from './filter-values.ts'

const vocabularies = valuesOf(defaultVocabulary)
const parse = (field: string, operator: string, value: unknown) =>
  parseFilter(JSON.stringify({ combinator: 'and', rules: [{ field, operator, value }] }), vocabularies)

/** Returns the values of a rule after parsing. */
function valuesFrom(field: string, operator: string, value: unknown) {
  const parsed = parse(field, operator, value)
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors))
  const [first] = parsed.group?.rules ?? []
  return first && 'values' in first ? first.values : undefined
}

/** Returns the only error about the value of a rule. */
function valueError(field: string, operator: string, value: unknown) {
  const parsed = parse(field, operator, value)
  if (!('errors' in parsed) || parsed.errors.length !== 1) throw new Error(JSON.stringify(parsed))
  return parsed.errors[0]
}

/** Returns each error as its `loc` and its type. The part of the `loc` that leads to the rule is left out. */
function errorsOf(field: string, operator: string, value: unknown): string[] {
  const parsed = parse(field, operator, value)
  if (!('errors' in parsed)) return []
  return parsed.errors.map(({ loc, type }) => `${loc.slice(4).join('.')} ${type}`)
}

describe('a value', () => {
  test('of text is a string of at most 500 characters', () => {
    expect(valuesFrom('name', 'contains', ' 50%_\\ ')).toEqual([' 50%_\\ '])
    expect(valuesFrom('name', '=', '🎬'.repeat(500))).toHaveLength(1)
    expect(valueError('name', '=', 'x'.repeat(501))).toMatchObject({
      type: 'string_too_long',
      msg: 'String should have at most 500 characters',
      ctx: { max_length: 500 },
    })
    for (const value of [5, null, {}, true, ['a']])
      expect(valueError('name', '=', value)).toMatchObject({ type: 'string_type' })
    expect(valueError('ad_id', '=', 2_385_215_040_447_054)).toMatchObject({ type: 'string_type' })
  })

  test('of an enumeration is one of its members', () => {
    expect(valuesFrom('status', '=', 'tech_check')).toEqual(['tech_check'])
    expect(valuesFrom('source', '=', 'META')).toEqual(['META'])
    for (const value of ['META ', 'meta', '', '__proto__', 1, null]) {
      expect(valueError('source', '=', value)).toMatchObject({ type: 'enum', input: value })
    }
    expect(valueError('test_status', '=', 'x')).toMatchObject({
      msg: "Input should be 'not_tested', 'in_test', 'tested' or 'paused'",
    })
    expect(errorsOf('geo', 'in', ['DE', 'Atlantis', 'FR', 'Mu'])).toEqual(['value.1 enum', 'value.3 enum'])
  })

  test.each([
    [5, 5],
    ['5', 5],
    [' -3 ', -3],
    ['4.0', 4],
    [-0, 0],
    ['2147483647', 2_147_483_647],
  ])('of an integer may be written %j', (raw, value) => {
    expect(valuesFrom('priority', '=', raw)).toEqual([value])
  })

  test.each([
    [1.5, 'int_from_float'],
    ['1.5', 'int_parsing'],
    ['five', 'int_parsing'],
    ['', 'int_parsing'],
    ['0x10', 'int_parsing'],
    ['9'.repeat(30), 'less_than_equal'],
    [2_147_483_648, 'less_than_equal'],
    [-2_147_483_649, 'greater_than_equal'],
    [true, 'int_type'],
    [null, 'int_type'],
    [[1], 'int_type'],
  ])('of an integer is never %j', (raw, type) => {
    expect(valueError('priority', '=', raw)).toMatchObject({ type })
  })

  test('of a number is finite and exactly what was written', () => {
    expect(valuesFrom('creation_points', 'between', '1.5, -2e3')).toEqual([-2000, 1.5])
    expect(valuesFrom('creation_points', '=', '.5')).toEqual([0.5])
    const types = ['1e400', 'Infinity', 'NaN', '', '9007199254740993', 9_007_199_254_740_992, -1e300, true].map(
      (value) => valueError('creation_points', '=', value)?.type,
    )
    expect(types).toEqual([
      'finite_number',
      'float_parsing',
      'float_parsing',
      'float_parsing',
      'less_than_equal',
      'less_than_equal',
      'greater_than_equal',
      'float_type',
    ])
  })

  test('of a boolean is true or false, or the word', () => {
    expect([true, 'true', false, 'false'].map((value) => valuesFrom('manual_launch', '=', value))).toEqual([
      [true],
      [true],
      [false],
      [false],
    ])
    expect(valueError('manual_launch', '=', 'yes')).toMatchObject({ type: 'bool_parsing' })
    expect(valueError('manual_launch', '=', 1)).toMatchObject({ type: 'bool_type' })
  })

  test.each([
    ['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.000000Z'],
    ['2026-01-31t09:30:00.123z', '2026-01-31T09:30:00.123000Z'],
    ['2026-01-31T00:30:00.1234567+02:00', '2026-01-30T22:30:00.123456Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000000Z'],
    ['0099-12-31T23:00:00-02:30', '0100-01-01T01:30:00.000000Z'],
  ])('of a datetime may be written %s', (raw, value) => {
    expect(valuesFrom('created_at', '>=', raw)).toEqual([value])
  })

  test.each([
    ['2026-01-31T09:30:00', 'timezone_aware'],
    ['2026-01-31 09:30:00Z', 'datetime_from_date_parsing'],
    ['2026-02-30', 'datetime_from_date_parsing'],
    ['2026-02-29T00:00:00Z', 'datetime_from_date_parsing'],
    ['2026-13-01', 'datetime_from_date_parsing'],
    ['2026-00-01', 'datetime_from_date_parsing'],
    ['2026-01-01T24:00:00Z', 'datetime_from_date_parsing'],
    ['2026-01-01T00:60:00Z', 'datetime_from_date_parsing'],
    ['2026-01-01T00:00:60Z', 'datetime_from_date_parsing'],
    ['2026-01-01T00:00:00+24:00', 'datetime_from_date_parsing'],
    ['0000-12-31', 'datetime_from_date_parsing'],
    ['0001-01-01T00:00:00+01:00', 'datetime_from_date_parsing'],
    ['9999-12-31T23:59:59-01:00', 'datetime_from_date_parsing'],
    ['yesterday', 'datetime_from_date_parsing'],
    ['', 'datetime_from_date_parsing'],
    [1_767_225_600, 'datetime_type'],
    [null, 'datetime_type'],
  ])('of a datetime is never %j', (raw, type) => {
    expect(valueError('created_at', '=', raw)).toMatchObject({ type })
  })

  test('of an id is a UUID', () => {
    const id = '019AA0E5-0000-7000-8000-00000000000F'
    expect(valuesFrom('assignee_id', '=', id)).toEqual([id.toLowerCase()])
    expect(valueError('assignee_id', '=', '1')).toMatchObject({ type: 'uuid_parsing' })
    expect(valueError('assignee_id', '=', `{${id}}`)).toMatchObject({ type: 'uuid_parsing' })
    expect(valueError('assignee_id', '=', 1)).toMatchObject({ type: 'uuid_type' })
  })

  test('of a list is an array, a comma-joined string or a bare number', () => {
    expect(valuesFrom('priority', 'in', [1, '2'])).toEqual([1, 2])
    expect(valuesFrom('priority', 'in', ' 1, 2,,')).toEqual([1, 2])
    expect(valuesFrom('priority', 'in', 3)).toEqual([3])
    expect(valuesFrom('name', 'in', 'a\\, b , c')).toEqual(['a, b', 'c'])
    expect(valuesFrom('name', 'in', [' a '])).toEqual([' a '])
    expect(valuesFrom('name', 'in', [])).toEqual([])
    expect(valuesFrom('name', 'notIn', ' ')).toEqual([])
    for (const value of [null, true, {}]) expect(valueError('name', 'in', value)).toMatchObject({ type: 'list_type' })
  })

  test('of a list is split as react-querybuilder splits it', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ',', '\\', ' ') })
    fc.assert(
      fc.property(text, (raw) => {
        expect(readList(raw)).toEqual(toArray(raw))
      }),
    )
  })

  test('of a list has at most 500 elements', () => {
    const list = (length: number) => Array.from({ length }, () => 1)
    expect(valuesFrom('priority', 'in', list(500))).toHaveLength(500)
    expect(valueError('priority', 'in', list(501))).toMatchObject({
      type: 'too_long',
      msg: 'List should have at most 500 items after validation, not 501',
      ctx: { field_type: 'List', max_length: 500, actual_length: 501 },
    })
  })

  test('of a range has exactly two bounds, in either order', () => {
    expect(valuesFrom('priority', 'between', '3,1')).toEqual([1, 3])
    expect(valuesFrom('created_at', 'between', ['2026-01-02', '2026-01-01'])).toEqual([
      '2026-01-01T00:00:00.000000Z',
      '2026-01-02T00:00:00.000000Z',
    ])
    expect(valueError('priority', 'between', '1,')).toMatchObject({
      type: 'too_short',
      msg: 'List should have at least 2 items after validation, not 1',
    })
    expect(valueError('priority', 'between', [1, 2, 3])).toMatchObject({ type: 'too_long' })
    expect(errorsOf('priority', 'notBetween', [null, 'x'])).toEqual(['value.0 int_type', 'value.1 int_parsing'])
  })
})
