// Facts about the event loop, which the embedded database shares with the code that handles requests.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { migratedSnapshot } from '../support/embedded-pool.ts'

test('transactions in a row leave others their turns', async () => {
  const database = openDatabase(await embeddedEngine(null, { snapshot: await migratedSnapshot() }))
  let isOver = false
  let turns = 0
  const others = async (): Promise<void> => {
    for (; !isOver; turns++) await setImmediate()
  }
  const beside = others()
  for (let at = 0; at < 20; at++) {
    await database.tx((tx) => sql`select count(*) from generate_series(1, 100000)`.execute(tx))
  }
  const during = turns
  isOver = true
  await beside
  await database.close()
  expect(during).toBeGreaterThan(0)
})

test('a transaction that waits for its turn while the database is closed is refused, and waits for ever for nothing', async () => {
  const database = openDatabase(await embeddedEngine(null, { snapshot: await migratedSnapshot() }))
  // This query takes longer than a time slice of the database, so the next transaction yields to the event loop before it begins.
  await database.tx((tx) => sql`select count(*) from generate_series(1, 1000000)`.execute(tx))
  const late = database
    .tx((tx) => sql`select 1`.execute(tx))
    .then(
      () => 'answered',
      (error: unknown) => (error instanceof Error ? error.message : 'refused'),
    )
  await database.close()
  expect(await late).toMatch(/answered|closed|destroyed/)
})
