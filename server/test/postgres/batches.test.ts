// Facts about removing much from large tables in batches: a batch does not read again what the batches before it have read. Counted
// by PostgreSQL, which counts the rows that it reads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evict } from '../../src/engine/store/cache.ts'
import { expireRuns } from '../../src/engine/store/expire.ts'
import { type Service, startOnOneConnection } from '../support/harness.ts'
import { fill, rowsRead } from '../support/rows-read.ts'

/** How many rows each table has. With fewer, PostgreSQL reads a whole table because that is quicker. */
const many = 20_000

let service: Service
beforeAll(async () => {
  service = await startOnOneConnection()
  // The older half of the runs is deleted already. The cached outputs were last used in the order of their numbers.
  await fill(
    service,
    `
    insert into runs (id, definition, ui_state, signature, forked_signature, status, owner_id, checkpoint_at, created_at,
      updated_at, deleted_at)
    select gen_random_uuid(), '{}', '{}', i::text, i::text, 'succeeded', gen_random_uuid(), at, at, at,
      case when i <= ${many / 2} then now() end
    from generate_series(1, ${many}) i, lateral (select now() - make_interval(hours => ${many} - i) as at) as t;
    insert into node_cache (key, type, outputs, bytes, credits, used_at)
    select md5(i::text), 'test.paid', '{}', 10, 0, now() - make_interval(secs => ${many} - i) from generate_series(1, ${many}) i`,
  )
})
afterAll(() => service.close())

test('entries of the cache: each is read once for the sum, and those that are removed a few times more', async () => {
  const removed = 4000
  const read = await rowsRead(service, ['node_cache'], async () => {
    expect(await evict(service.database, (many - removed) * 10)).toBe(removed)
  })
  expect(read).toBeLessThan(many + 5 * removed)
})

test('old runs: those that were deleted before are passed once, and young ones are not read', async () => {
  const deleted = 2000
  const read = await rowsRead(service, ['runs'], async () => {
    const hours = many / 2 - deleted
    expect(await expireRuns(service.database, { runs: hours * 3600, history: null })).toMatchObject({ runs: deleted })
  })
  expect(read).toBeLessThan(many / 2 + 5 * deleted)
})
