// Facts about which rows filters select in a real database, compared with two other implementations of filters.

import { filterFields, operatorsOf } from '@atelier/contract/filter-fields.ts'
import { foldText } from '@atelier/contract/fold.ts'
import { PGlite } from '@electric-sql/pglite'
import { formatQuery } from '@react-querybuilder/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anyRule,
  groupsOf,
  logic,
  type Meant,
  matches,
  meantBy,
  plainly,
  type Row,
  rows,
  sampleTable,
  stamps,
  variously,
  vocabularies,
} from '../../../../test/support/filter-samples.ts'
import { readMigrations } from '../../../platform/migration-files.ts'
import { type ParsedGroup, parseFilter } from './filter-parse.ts'
import { canonicalFilter, compileFilter } from './filter-sql.ts'

let db: PGlite
beforeAll(async () => {
  db = await PGlite.create()
  for (const { text } of readMigrations()) await db.exec(text)
  await db.exec(sampleTable)
  await db.query('insert into samples select * from jsonb_populate_recordset(null::samples, $1::jsonb)', [rows])
})
afterAll(() => db.close())

const parsed = (query: unknown): ParsedGroup | null => {
  const result = parseFilter(JSON.stringify(query), vocabularies)
  if ('errors' in result) throw new Error(JSON.stringify(result.errors))
  return result.group
}

async function idsWhere(group: ParsedGroup | null, wrap = (sql: string) => sql): Promise<number[]> {
  const bound: unknown[] = []
  const sql = group ? compileFilter(group, (value) => `$${bound.push(value)}`, 't') : 'true'
  const found = await db.query<{ id: number }>(`select t.id from samples t where ${wrap(sql)} order by t.id`, bound)
  return found.rows.map(({ id }) => id)
}

const and = (...rules: unknown[]) => ({ combinator: 'and', rules })
const rule = (field: string, operator: string, value?: unknown) => ({ field, operator, value })
const idsOf = (condition: (row: Row) => boolean) => rows.filter(condition).map(({ id }) => id)
/** Returns the ids of the rows that a single rule selects. */
const found = (field: string, operator: string, value?: unknown) => idsWhere(parsed(and(rule(field, operator, value))))

describe('a compiled rule', () => {
  const sqlOf = (query: unknown) => {
    const bound: unknown[] = []
    const group = parsed(query)
    return { sql: group && compileFilter(group, (value, type) => `$${bound.push({ value, type })}`), bound }
  }

  test('binds every value, with its type, and names columns of the catalogue', () => {
    expect(sqlOf(and(rule('status', 'in', ['done']), rule('generated_name', 'beginsWith', '5%_\\')))).toEqual({
      sql: '(("status" = any($1::text[]::task_status[])) and ("generated_name" is not null and split_part(search_text, chr(10), 2) like $2::text))',
      bound: [
        { value: ['done'], type: 'text[]' },
        { value: '5\\%\\_\\\\%', type: 'text' },
      ],
    })
    expect(sqlOf(and(rule('status', '!=', 'done')))).toEqual({
      sql: '(not ("status" = $1::task_status))',
      bound: [{ value: 'done', type: 'task_status' }],
    })
  })

  test('finds text by its letters, whatever their case, and takes % _ \\ literally', async () => {
    const topic = (condition: (text: string) => boolean) =>
      idsOf((row) => typeof row.topic === 'string' && condition(row.topic.toLowerCase()))
    expect(await found('topic', 'contains', 'Ä')).toEqual(topic((text) => text.includes('ä')))
    expect(await found('topic', 'contains', '%')).toEqual(topic((text) => text.includes('%')))
    expect(await found('topic', 'contains', '_')).toEqual(topic((text) => text.includes('_')))
    expect(await found('topic', 'endsWith', '\\')).toEqual(topic((text) => text.endsWith('\\')))
    expect(await found('topic', 'beginsWith', 'b')).toEqual(topic((text) => text.startsWith('b')))
    expect(await found('topic', '=', 'a')).toEqual(idsOf((row) => row.topic === 'a'))
  })

  test.for(['name', 'generated_name', 'subject', 'topic', 'audience'])('reads %s as search does', async (field) => {
    const texts = ['STRASSE', 'Straße', 'Cafe\u0301', 'CAFÉ', 'ΟΔΟΣ', 'οδός', 'İstanbul', 'ISTANBUL', 'ﬁ']
    const cells = (text: string) => ({ ...rows[0], name: text, generated_name: text, [field]: text })
    await db.query('begin')
    await db.query('delete from samples')
    const written = texts.map((text, id) => ({
      ...cells(text),
      id,
      search_text: `${foldText(text)}\n${foldText(text)}`,
    }))
    await db.query('insert into samples select * from jsonb_populate_recordset(null::samples, $1::jsonb)', [written])
    for (const part of ['strasse', 'STRAẞE', 'café', 'CAFE\u0301', 'οδοσ', 'istanbul', 'ıstanbul']) {
      const there = texts.flatMap((text, id) => (foldText(text).includes(foldText(part)) ? [id] : []))
      expect(there.length, part).toBeGreaterThan(0)
      expect(await found(field, 'contains', part), part).toEqual(there)
    }
    await db.query('rollback')
  })

  test('with a "not" in its operator keeps the rows that have nothing there', async () => {
    for (const [operator, value] of [
      ['!=', 2],
      ['notIn', [2]],
      ['notBetween', [0, 5]],
    ] as const) {
      const kept = await found('priority', operator, value)
      expect(kept).toEqual(expect.arrayContaining(idsOf((row) => row.priority === null)))
      expect(kept.length).toBeLessThan(rows.length)
    }
    for (const operator of ['doesNotContain', 'doesNotBeginWith', 'doesNotEndWith']) {
      expect(await found('topic', operator, 'a')).toEqual(expect.arrayContaining(idsOf((row) => row.topic === null)))
    }
  })

  test('in nothing finds nothing, and not in nothing everything', async () => {
    for (const field of ['name', 'topic', 'status', 'geo', 'priority', 'assignee_id', 'varied_elements']) {
      expect(await found(field, 'in', [])).toEqual([])
      expect(await found(field, 'notIn', '')).toHaveLength(rows.length)
    }
  })

  test('on a set asks for a member, for any of several, or for none at all', async () => {
    const [first = '', second = ''] = vocabularies.VariedElement
    const sets = (condition: (set: string[]) => boolean) =>
      idsOf((row) => Array.isArray(row.varied_elements) && condition(row.varied_elements))
    expect(await found('varied_elements', 'contains', first)).toEqual(sets((set) => set.includes(first)))
    expect(await found('varied_elements', 'doesNotContain', first)).toEqual(sets((set) => !set.includes(first)))
    expect(await found('varied_elements', 'in', [first, second])).toEqual(
      sets((set) => set.includes(first) || set.includes(second)),
    )
    expect(await found('varied_elements', 'null')).toEqual(sets((set) => set.length === 0))
    expect(await found('varied_elements', 'notNull')).toEqual(sets((set) => set.length > 0))
  })

  test('finds a stored datetime by the text it was handed out as, in any offset', async () => {
    const expected = idsOf((row) => row.created_at === stamps[1])
    expect(expected).not.toEqual([])
    expect(await found('created_at', '=', '2026-01-01T00:00:00.001Z')).toEqual(expected)
    expect(await found('created_at', '=', '2026-01-01T05:30:00.001+05:30')).toEqual(expected)
    expect(await found('created_at', '=', '2026-01-01')).toEqual(idsOf((row) => row.created_at === stamps[0]))
  })
})

describe('a value at the limit', () => {
  test.each([
    ['priority', [-2_147_483_648, 2_147_483_647]],
    ['creation_points', [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, Number.MIN_VALUE]],
    ['created_at', ['0001-01-01', '0001-01-01T00:00:00-23:59', '9999-12-31T23:59:59.9999999Z']],
    ['name', ['🎬'.repeat(500), "'", '"', '\\\\', '{', '}', ',', 'NULL', '$1', '\u007f']],
    ['assignee_id', ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF']],
  ])('of %s is one the database takes', async (field, values) => {
    expect(await found(field, 'in', values)).toEqual([])
    for (const value of values) expect(await found(field, '=', value)).toEqual([])
  })
})

describe('the catalogue', () => {
  test('calls no field filled whose column may be empty', async () => {
    const empty = await db.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_name = 'tasks' and is_nullable = 'YES'`,
    )
    const names = empty.rows.map(({ column_name }) => column_name)
    expect(filterFields.filter(({ name, nullable }) => !nullable && names.includes(name))).toEqual([])
  })
})

describe('a compiled group', () => {
  test('without rules finds everything, and its negation nothing', async () => {
    const empty = { combinator: 'or', rules: [], not: true }
    expect(await idsWhere(parsed(empty))).toEqual([])
    expect(await idsWhere(parsed(and({ ...empty, not: false })))).toHaveLength(rows.length)
    expect(await idsWhere(parsed(and({ ...empty })))).toEqual([])
  })
})

describe('any valid filter', () => {
  test('finds what it means, with every operator of every field', async () => {
    for (const field of filterFields) {
      for (const operator of operatorsOf(field)) {
        for (const sample of fc.sample(meantBy(field, operator).chain(variously), { numRuns: 3, seed: 11 })) {
          const expected = idsOf((row) => matches(sample, row))
          expect(await idsWhere(parsed(and(sample.rule))), JSON.stringify(sample.rule)).toEqual(expected)
        }
      }
    }
  })

  test('finds what it means, however it is nested, written and negated', async () => {
    const property = fc.asyncProperty(groupsOf(anyRule, 4), async (sample) => {
      expect(await idsWhere(parsed(sample.rule))).toEqual(idsOf((row) => matches(sample, row)))
    })
    await fc.assert(property, { numRuns: 300 })
  })

  test('is true or false of every row, so that its negation is everything else', async () => {
    const property = fc.asyncProperty(groupsOf(anyRule, 3), async ({ rule: query }) => {
      const group = parsed(query)
      expect(await idsWhere(group, (sql) => `(${sql}) is null`)).toEqual([])
      const some = await idsWhere(group)
      expect(await idsWhere(group, (sql) => `not (${sql})`)).toEqual(idsOf(({ id }) => !some.includes(id)))
    })
    await fc.assert(property, { numRuns: 100 })
  })
})

describe("react-querybuilder's JSON Logic", () => {
  // Cases in which we differ from that library on purpose are left out: it applies `<` and `>` to nulls, drops empty groups, and
  // has no fields with sets of values. It also distinguishes upper and lower case in substrings; so the rules, and the rows that
  // are passed to the library, have lower-case text.
  const shared = filterFields
    .filter(({ type }) => type !== 'enum_list')
    .flatMap((field) => operatorsOf(field).map((operator) => ({ field, operator })))
    .filter(({ field, operator }) => !(field.nullable && /[<>]|between/i.test(operator)))
  const small = (text: unknown) => String(text).toLowerCase()
  const sharedText = ({ operator, values }: Meant) =>
    values.every((value) => value !== '' && value === small(value)) &&
    (/contain|begin|end/i.test(operator) || values.every((value) => value === String(value).toUpperCase()))
  const sharedRule = fc
    .constantFrom(...shared)
    .chain(({ field, operator }) => meantBy(field, operator))
    .filter((meant) => meant.field.type !== 'text' || sharedText(meant))
    .map(plainly)

  const smallRows: Row[] = rows.map((row) => {
    const cells = filterFields.map(({ name, type }) => [
      name,
      type === 'text' && row[name] ? small(row[name]) : row[name],
    ])
    return { ...row, ...Object.fromEntries(cells) }
  })

  test('finds the same rows where it means the same', async () => {
    const property = fc.asyncProperty(groupsOf(sharedRule, 3, 1), async ({ rule: query }) => {
      const expression = formatQuery(JSON.parse(JSON.stringify(query)), 'jsonlogic')
      const expected = smallRows.filter((row) => logic(expression, row)).map(({ id }) => id)
      expect(await idsWhere(parsed(query))).toEqual(expected)
    })
    await fc.assert(property, { numRuns: 200 })
  })
})

describe('the key of a filter', () => {
  const key = (query: unknown) => canonicalFilter(parsed(query))
  const a = rule('name', '=', 'a')
  const b = rule('priority', 'in', [1, 2])

  test('is the same for the same filter in other words', () => {
    const other = { ...rule('priority', 'in', '2,1,1'), id: 'x', disabled: true }
    expect(key({ ...and(other, a, a), id: 'y', not: false })).toBe(key(and(a, b)))
    expect(key(and(a, { ...b, muted: true }))).toBe(key(and(a)))
    expect(key(and(rule('created_at', '>', '2026-01-01')))).toBe(
      key(and(rule('created_at', '>', '2026-01-01T01:00:00+01:00'))),
    )
  })

  test('differs with the meaning', () => {
    const queries = [
      and(),
      and(a),
      { ...and(a), not: true },
      and(a, b),
      { combinator: 'or', rules: [a, b] },
      and(a, and(b)),
      and(a, rule('priority', 'notIn', [1, 2])),
      and(a, rule('priority', 'in', [1, 2, 3])),
      and(rule('topic', '=', 'a')),
      and(rule('name', '=', 'A')),
      and(rule('priority', 'between', [1, 2])),
      and(rule('topic', 'null')),
    ]
    expect(new Set(queries.map(key)).size).toBe(queries.length)
    expect(key(and())).toBe('')
    for (const query of queries.slice(1)) expect(key(query)).toMatch(/^[\w-]{43}$/)
  })
})
