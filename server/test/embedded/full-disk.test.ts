// Facts about an embedded database whose disk is nearly full, or full: reads go on, nothing hangs, and nothing acknowledged is lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Database, inSnapshot, isUnavailable, openDatabase } from '../../src/platform/db.ts'
import { keptFree } from '../../src/platform/disk-room.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { killChildren, startChild } from '../support/child.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'

let scratch: string
beforeAll(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'atelier-full-'))
})
afterEach(killChildren)
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function open(name: string, free: () => number = () => keptFree): Promise<Database> {
  const folder = path.join(scratch, name)
  const database = openDatabase(await embeddedEngine(folder, { snapshot: await migratedSnapshot(), freeBytes: free }))
  await sql`create table filled (n integer, said text)`.execute(database.main)
  return database
}

test('with little space left nothing is written, reads go on, and with more space writes go on too', async () => {
  let free = keptFree
  const database = await open('nearly', () => free)
  onTestFinished(() => database.close())
  const write = () => database.tx((tx) => sql`insert into filled values (1, 'so')`.execute(tx))
  const count = async () =>
    (await sql<{ n: number }>`select count(*)::int as n from filled`.execute(database.main)).rows[0]?.n
  await write()
  free -= 1
  const refused = await write().catch((error: unknown) => error)
  expect(refused).toMatchObject({ message: expect.stringMatching(/has 127 MB free, and nothing is written with less/) })
  expect(isUnavailable(refused)).toBe(true)
  expect(await count()).toBe(1)
  expect(await inSnapshot(database.main, (db) => sql`select 1`.execute(db))).toMatchObject({ rows: [{}] })
  free += 1
  await write()
  expect(await count()).toBe(2)
})

test('with little space left a start is refused, and says how much is needed', async () => {
  const opening = embeddedEngine(path.join(scratch, 'full'), { freeBytes: () => keptFree - 1 })
  await expect(opening).rejects.toThrow(
    /full \(ATELIER_DATA_DIR\) has 127 MB free, and nothing is written with less than 128 MB/,
  )
})

test('crash: a process whose log cannot be written ends, says why, and has lost nothing it acknowledged', async () => {
  await (await open('log')).close()
  const folder = path.join(scratch, 'log')
  const writer = startChild('server/test/embedded/overflowing.ts', [folder])
  expect(await writer.ended).toEqual({ code: 1, signal: null })
  expect(writer.stderr()).toMatch(
    /The embedded database ends: .*pg_wal.* cannot be written \(the file would be too large/,
  )
  const last = Number(writer.stdout().trim().split('\n').at(-1))
  expect(last).toBeGreaterThan(1)
  const database = openDatabase(await embeddedEngine(folder))
  onTestFinished(() => database.close())
  // The last row may have been committed without being acknowledged.
  const { rows } = await sql<{ n: number }>`select max(n) as n from filled`.execute(database.main)
  expect([last, last + 1]).toContain(rows[0]?.n)
})
