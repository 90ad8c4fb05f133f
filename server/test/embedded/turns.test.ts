// Facts about the embedded database and the event loop, which it shares with whatever answers requests.
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'

test('transactions in a row leave others their turns', async () => {
  const database = openDatabase(await embeddedEngine(null))
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
