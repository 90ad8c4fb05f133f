// Facts about passing rows and keys to kept (prepared) statements: few are passed as single values and more as arrays or JSON,
// but the statement reads the same values.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/platform/db.ts'
import { keysOf, rowsAs } from '../../src/platform/rows.ts'
import { openTestDatabase } from '../support/harness.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
})
afterAll(async () => {
  await database.close()
  await drop()
})

const texts = ['plain', '', 'NULL', '"quoted", {in} \\braces\\', "it's\na line", '?::text, $1 %s', 'ümläut 💡', null]
const plain = rowsAs('r', { n: 'int', text: 'text', big: 'bigint', share: 'float8', is_on: 'boolean' })
const rich = rowsAs('r', { n: 'int', text: 'text', value: 'json' })

test.for([1, 2, 3, texts.length])('%i rows are read as they were given, also with hostile texts', async (count) => {
  for (let from = 0; from + count <= texts.length; from++) {
    const given = texts.slice(from, from + count).map((text, n) => ({
      ...{ n, text, big: n === 0 ? null : 2 ** 52 + n, share: n / 3, is_on: n % 2 === 0 },
    }))
    const rows = plain(given)
    const { rows: read } = await sql`${rows.begin('test_plain')}
      select r.n, r.text, r.big::float8 as big, r.share, r.is_on from ${rows.from} order by r.n`.execute(database.main)
    expect(read).toEqual(given)
  }
})

test('no rows are read as none', async () => {
  for (const [name, rows] of [
    ['test_no_plain', plain([])],
    ['test_no_rich', rich([])],
  ] as const) {
    const { rows: read } = await sql`${rows.begin(name)} select r.n from ${rows.from}`.execute(database.main)
    expect(read).toEqual([])
  }
})

test.for([1, 2, 3])('%i rows may hold JSON: objects, lists, texts and no value', async (count) => {
  const values = [{ a: [1, 'x', null], "it's": '\\"' }, ['é', { b: {} }], null]
  const given = values.slice(-count).map((value, n) => ({ n, text: texts[n + 3] ?? null, value }))
  const rows = rich(given)
  const { rows: read } = await sql`${rows.begin('test_rich')}
    select r.n, r.text, r.value from ${rows.from} order by r.n`.execute(database.main)
  expect(read).toEqual(given)
})

test.for([1, 2, 3])('of %i rows, one with JSON that the database cannot read again is refused', async (count) => {
  for (const text of ['a NUL: \u0000', 'half a character: \ud83d']) {
    const rows = rich(Array.from({ length: count }, (_, n) => ({ n, text: null, value: n === 0 ? { text } : null })))
    await expect(
      sql`${rows.begin('test_refused')} select r.n, r.text, r.value from ${rows.from}`.execute(database.main),
    ).rejects.toThrow(/Unicode|invalid input syntax/i)
  }
})

test.for([1, 2, 3])('%i keys match themselves and nothing else', async (count) => {
  const all = texts.filter((text) => text !== null)
  const asked = keysOf(all.slice(0, count))
  const { rows } = await sql<{ key: string }>`${asked.begin('test_keys')}
    select key from unnest(${all}::text[]) as k (key) where key ${asked.is}`.execute(database.main)
  expect(rows.map(({ key }) => key)).toEqual(all.slice(0, count))
})
