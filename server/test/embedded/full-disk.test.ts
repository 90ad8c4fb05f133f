// Facts about an embedded database whose disk is nearly full, or full: reads go on, nothing hangs, and nothing acknowledged is lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Database, inSnapshot, isUnavailable, openDatabase } from '../../src/platform/db.ts'
import { keptFree } from '../../src/platform/disk-room.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { createApp } from '../../src/wiring/app.ts'
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

test('a service with little space left refuses writes, answers reads, and logs once that it takes none and once that it does', async () => {
  let free = keptFree
  let now = 0
  const lines: { msg: string; why?: string }[] = []
  const log = createLog('info', { write: (line) => void lines.push(JSON.parse(line)) })
  const database = await open('served', () => free)
  const first = await ensureOwner(database, null)
  const config = readConfig({ ATELIER_DATA_DIR: path.join(scratch, 'served'), ATELIER_WORK: 'false' })
  const app = await createApp({ config, database, log, clock: { now: () => systemClock.now() + now } })
  onTestFinished(app.stop)
  const headers = { authorization: `Bearer ${first?.token}` }
  const read = async () => (await app.server.inject({ url: '/api/v1/tasks/board', headers })).statusCode
  const write = () => app.server.inject({ method: 'POST', url: '/api/v1/tasks', headers, payload: { name: 'Written' } })
  free -= 1
  for (let turn = 0; turn < 3; turn++) {
    const refused = await write()
    expect([refused.statusCode, refused.json().detail]).toEqual([503, expect.stringMatching(/^The disk .* is full/)])
    expect(await read()).toBe(200)
  }
  free += 1
  now = 60_000
  for (let turn = 0; turn < 2; turn++) expect((await write()).statusCode).toBe(200)
  expect(lines.filter(({ msg }) => msg.startsWith('the database'))).toMatchObject([
    { msg: 'the database takes no writes; answering them 503', why: expect.stringContaining('has 127 MB free') },
    { msg: 'the database takes writes again' },
  ])
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
