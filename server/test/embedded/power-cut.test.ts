// Facts about a power cut: everything that the embedded database acknowledged survives it, whichever writes the disk lost.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'
import { momentsOf, record, type Session, tryCut, withoutSyncs } from '../support/power-cuts/cuts.ts'
import { randomNumbers } from '../support/random.ts'

const random = randomNumbers(20_261_123)
let scratch: string
let session: Session
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'atelier-power-cuts-'))
  session = await record(scratch, 20_261_123, 40)
})
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Simulates this many power cuts, with one of the possible disk states each; returns every fault that was found. */
async function faultsOf(of: Session, cuts: number): Promise<string[]> {
  const found: string[] = []
  for (const length of momentsOf(of, cuts, random)) {
    const { faults } = await tryCut(of, scratch, { length, orders: 1, random })
    found.push(...faults.map(({ what }) => what))
  }
  return found
}

test('every disk that a cut can leave opens, with all that was acknowledged, in whole transactions', async () => {
  expect(session.recording.operations.filter(({ kind }) => kind === 'sync').length).toBeGreaterThan(40)
  expect(await faultsOf(session, 3)).toEqual([])
})

test('a disk that was never told to sync does not: the look for it finds what is missing', async () => {
  const [last] = momentsOf(session, 1, random)
  const { faults } = await tryCut(withoutSyncs(session), scratch, {
    length: Math.max(last ?? 0, 300),
    orders: 1,
    random: () => 0.5,
  })
  expect(faults).toHaveLength(1)
})

test.each([
  [false, 'on'],
  [true, 'off'],
])('fast %s: syncing is %s, and a checkpoint comes before the log is large', async (isFast, fsync) => {
  const snapshot = await migratedSnapshot()
  const database = openDatabase(await embeddedEngine(join(scratch, `fast-${isFast}`), { snapshot, isFast }))
  expect(await database.script('show fsync')).toEqual([{ fsync }])
  const redo = () => database.script('select redo_lsn from pg_control_checkpoint()')
  await database.checkpoint?.()
  await database.script(`create table large as select md5(n::text) as word from generate_series(1, 100000) as n`)
  const between = await redo()
  await database.checkpoint?.()
  const after = await redo()
  await database.checkpoint?.()
  expect([database.checkpoint !== null, JSON.stringify(after) !== JSON.stringify(between)]).toEqual([!isFast, !isFast])
  expect(await redo()).toEqual(after)
  await database.close()
})
