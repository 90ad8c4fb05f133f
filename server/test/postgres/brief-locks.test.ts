// Facts about transactions that have locked a row for which others wait, of a provider, a budget or a run: they may be idle for less
// time than others. What that is for is in worker-lost.test.ts.
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { renewClaim } from '../../src/engine/store/provider-claims.ts'
import { currentMonth, lockAndFit } from '../../src/engine/store/run-costs.ts'
import { lockRun } from '../../src/engine/store/runs.ts'
import type { Db } from '../../src/platform/db.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
})
afterAll(() => service?.close())

const limit = { name: 'somebody', calls: 4, perMinute: null }

test('a transaction that has locked such a row may be idle for ten seconds; the session before and after it for thirty', async () => {
  const { database, owner } = service
  const { id } = await makeRun(service, definitionOf({ copy: { type: 'test.paid', inputs: { prompt: 'a' } } }))
  await service.rows(
    `insert into budgets (id, period, currency, amount) values (gen_random_uuid(), 'always', 'EUR', 5)`,
  )
  const locks: Record<string, (tx: Db) => Promise<unknown>> = {
    nothing: async () => undefined,
    provider: (tx) =>
      renewClaim(tx, limit, { holder: randomUUID(), used: 0, waiting: 1, unbegun: 0, closedSeconds: 0 }),
    budget: async (tx) => lockAndFit(tx, { personId: owner.id, currency: 'EUR', month: await currentMonth(tx) }, 1),
    run: (tx) => lockRun(tx, id),
  }
  const limits: Record<string, string | undefined> = {}
  for (const [what, lock] of Object.entries(locks)) {
    limits[what] = await database.tx(async (tx) => {
      await lock(tx)
      return idleLimit(tx)
    })
  }
  expect(limits).toEqual({ nothing: '30s', provider: '10s', budget: '10s', run: '10s' })
  expect(await idleLimit(database.main)).toBe('30s')
})

async function idleLimit(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ limit: string }>`
    select current_setting('idle_in_transaction_session_timeout') as limit`.execute(db)
  return rows[0]?.limit
}
