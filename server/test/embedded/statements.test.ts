// Facts about prepared statements on the embedded database, compared with how PGlite itself executes statements.
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Statements, statementsOn } from '../../src/platform/embedded-statements.ts'

let pglite: PGlite
let statements: Statements
beforeAll(async () => {
  pglite = await PGlite.create()
})
beforeEach(async () => {
  await pglite.exec('deallocate all; drop table if exists things; create table things (id int primary key, name text)')
  await pglite.exec(`insert into things values (1, 'one'), (2, 'two')`)
  statements = statementsOn(pglite)
})
afterAll(() => pglite.close())

const prepared = async (): Promise<string[]> =>
  (await pglite.query<{ statement: string }>('select statement from pg_prepared_statements order by 1')).rows.map(
    ({ statement }) => statement,
  )
const code = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )

const hostile: [what: string, text: string, values: unknown[]][] = [
  ['text', 'select $1::text as a', ["'; drop table things; -- \u{1f600}\\"]],
  ['nothing', 'select $1::text as a, $2::int as b', [null, undefined]],
  [
    'numbers',
    'select $1::int as a, $2::float8 as b, $3::numeric as c, $4::int8 as d',
    [-1, 1.5, '12.50', '9007199254740993'],
  ],
  ['truth', 'select $1::bool as a, not $1::bool as b', [true]],
  ['JSON', 'select $1::jsonb as a, $2::json as b', [{ a: [1, null, '"'] }, [1, { b: '\u2028' }]]],
  ['text as JSON', 'select $1::jsonb as a', ['{"a": 1}']],
  ['bytes', 'select $1::bytea as a', [new Uint8Array([0, 255, 92, 39])]],
  ['a time', 'select $1::timestamptz as a, $2::date as b', [new Date('2026-01-02T03:04:05.678Z'), '2026-02-03']],
  [
    'lists',
    'select $1::text[] as a, $2::int[] as b, $3::bool[] as c',
    [
      ['x,"y', '{}', null],
      [1, 2],
      [true, false],
    ],
  ],
  ['lists of identifiers', 'select $1::uuid[] as a', [['6f9619ff-8b86-4d01-b42d-00cf4fc964ff']]],
  ['a name twice', 'select 1 as a, 2 as a', []],
  ['no rows', 'select 1 as a where false', []],
  ['many rows', 'select i as a, repeat($1, 1000) as b from generate_series(1, 2000) i', ['x']],
  ['no columns', 'select from generate_series(1, 3)', []],
]

test.each(hostile)('the same rows come the first, second and third time: %s', async (_, text, values) => {
  for (const rowMode of ['object', 'array'] as const) {
    const { rows, fields } = await pglite.query(text, values, { rowMode })
    for (let time = 1; time <= 3; time++)
      expect(await statements.query(text, values, { rowMode })).toMatchObject({
        rows,
        fields: fields.map(({ name }) => ({ name })),
      })
  }
})

test.each([
  ['insert', `insert into things select i, 'new' from generate_series(10, 14) i`, 5],
  ['update', `update things set name = 'other'`, 2],
  ['delete', 'delete from things where id = 1', 1],
  ['read', 'select * from things', 0],
])('what a statement changed is counted: %s', async (_, text, count) => {
  expect((await statements.query(text)).affectedRows).toBe(count)
})

test('a text is prepared when it comes for the second time', async () => {
  const text = 'select name from things where id = $1'
  await statements.query(text, [1])
  expect(await prepared()).toEqual([])
  expect((await statements.query(text, [2])).rows).toEqual([{ name: 'two' }])
  expect(await prepared()).toEqual([text])
  expect((await statements.query(text, [1])).rows).toEqual([{ name: 'one' }])
})

test('at most 250 are prepared, those that were used last', async () => {
  const texts = Array.from({ length: 300 }, (_, at) => `select ${at} as number`)
  for (const text of texts) for (let time = 1; time <= 3; time++) await statements.query(text)
  expect((await prepared()).toSorted()).toEqual(texts.slice(50).toSorted())
})

test('a text that is too long to come again is not prepared', async () => {
  const text = `select 1 as a /* ${'long '.repeat(5000)} */`
  for (let time = 1; time <= 3; time++) expect((await statements.query(text)).rows).toEqual([{ a: 1 }])
  expect(await prepared()).toEqual([])
})

test.each([
  ['a statement', () => statements.query('alter table things add column size int')],
  ['a script', () => statements.exec('alter table things add column size int; select 1')],
  ['somebody else', () => pglite.exec('alter table things add column size int')],
])('a column that %s adds is in the rows of what was prepared before', async (_, alter) => {
  for (let time = 1; time <= 3; time++) await statements.query('select * from things where id = $1', [1])
  await alter()
  expect((await statements.query('select * from things where id = $1', [1])).rows).toEqual([
    { id: 1, name: 'one', size: null },
  ])
})

test('what was prepared and is gone is prepared anew', async () => {
  for (let time = 1; time <= 3; time++) await statements.query('select 1 as a')
  await pglite.exec('deallocate all')
  expect((await statements.query('select 1 as a')).rows).toEqual([{ a: 1 }])
})

test('what is refused leaves the database ready for the next, however often it was executed', async () => {
  const insert = 'insert into things values ($1, $2)'
  for (let time = 1; time <= 4; time++) {
    expect(await code(statements.query(insert, [1, 'taken']))).toBe('23505')
    expect(await code(statements.query(insert, ['no number', 'x']))).toBe('22P02')
    expect(await code(statements.query('select nonsense from things'))).toBe('42703')
    expect((await statements.query('select count(*)::int as count from things')).rows).toEqual([{ count: 2 }])
  }
})

test('a value that cannot be written as the type of its parameter fails by itself', async () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  for (let time = 1; time <= 3; time++) {
    await expect(statements.query('select $1::jsonb as a', [circular])).rejects.toThrow('circular')
    expect((await statements.query('select 1 as a')).rows).toEqual([{ a: 1 }])
  }
})

test('a transaction that fails leaves nothing, and one that succeeds everything', async () => {
  const add = (id: number) => (tx: Pick<Statements, 'query'>) =>
    tx
      .query('insert into things values ($1, $2)', [id, 'new'])
      .then(() => tx.query('insert into things values (1, $1)', ['x']))
  for (let id = 10; id < 14; id++) expect(await code(statements.transaction(add(id)))).toBe('23505')
  await statements.transaction((tx) => tx.query('insert into things values ($1, $2)', [20, 'new']))
  expect((await statements.query('select id from things order by id')).rows).toEqual([{ id: 1 }, { id: 2 }, { id: 20 }])
})

test('a statement outside waits for the transaction that is under way', async () => {
  const order: string[] = []
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
  const inside = statements.transaction(async (tx) => {
    await asked
    await tx.query(`update things set name = 'changed' where id = 1`)
    order.push('inside')
  })
  const outside = statements.query('select name from things where id = 1').then(({ rows }) => {
    order.push('outside')
    return rows
  })
  ask()
  await inside
  expect(await outside).toEqual([{ name: 'changed' }])
  expect(order).toEqual(['inside', 'outside'])
})

test('responses of every length are whole, and one leaves nothing in the next', async () => {
  const lengths = [0, 1, 65_000, 65_536, 70_000, 1, 3_000_000, 131_072, 2]
  for (const length of [...lengths, ...lengths]) {
    const { rows } = await statements.query<{ a: string; b: string }>(
      `select repeat('x', $1::int) as a, repeat('ż', $1::int) as b`,
      [length],
    )
    expect(rows.map(({ a, b }) => a === 'x'.repeat(length) && b === 'ż'.repeat(length))).toEqual([true])
  }
  const many = await statements.query<{ i: number }>('select generate_series(1, $1::int) as i', [50_000])
  expect(many.rows.map(({ i }) => i)).toEqual(Array.from({ length: 50_000 }, (_, at) => at + 1))
})

test('a statement that fails after a long response fails, and the next one works', async () => {
  const failing = () => statements.query(`select repeat('x', 1000), 1 / (i - 2000) from generate_series(1, 3000) i`)
  for (const _ of [1, 2, 3]) expect(await code(failing())).toBe('22012')
  expect((await statements.query<{ a: number }>('select 1 as a')).rows).toEqual([{ a: 1 }])
})

test('notifications that a statement sends arrive', async () => {
  const { promise: heard, resolve: hear } = Promise.withResolvers<string>()
  await statements.listen('news', hear)
  await statements.query(`select pg_notify('news', $1)`, ['for you'])
  expect(await heard).toBe('for you')
  await pglite.unlisten('news')
})
