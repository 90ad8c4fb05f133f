// Facts about the upkeep of the embedded database: after a table has grown, kept (prepared) statements get new plans, which use
// its indexes, and new entries of GIN indexes leave the pending lists.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Db } from '../../src/platform/db.ts'
import { keepUp } from '../../src/platform/embedded-upkeep.ts'
import { openTestDatabase } from '../support/harness.ts'

let database: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ database, drop } = await openTestDatabase())
  await database.script('create table grown (id integer primary key, words text[])')
  await database.script('create index grown_words on grown using gin (words)')
})
afterAll(async () => {
  await database.script('drop table grown')
  await database.close()
  await drop()
})

const grow = (from: number, to: number) =>
  database.script(`insert into grown select i, array['word ' || i] from generate_series(${from}, ${to}) as i`)

const scansOf = async (tx: Db): Promise<number> => {
  const { rows } = await sql<{ scans: number }>`
    select pg_stat_get_xact_numscans('grown'::regclass)::int as scans`.execute(tx)
  return rows[0]?.scans ?? Number.NaN
}

/** Whether a read by key goes through the whole table. */
const readsAll = (): Promise<boolean> =>
  database.tx(async (tx) => {
    const before = await scansOf(tx)
    await sql`select words from grown where id = ${1}`.execute(tx)
    return (await scansOf(tx)) > before
  })

test('a plan from when a table was small is made anew, and pending entries are in their index', async () => {
  await grow(1, 5)
  await database.script('analyze grown')
  for (let turn = 0; turn < 12; turn++) await readsAll()
  await grow(6, 20_000)
  expect(await readsAll()).toBe(true)
  await keepUp(database.main)
  expect(await readsAll()).toBe(false)
  expect(await database.script(`select gin_clean_pending_list('grown_words')::int as pages`)).toEqual([{ pages: 0 }])
})
