// Facts about the limit of the node cache: which entries are removed when it is exceeded.
import { afterEach, beforeAll, expect, test } from 'vitest'
import { evict } from '../../src/engine/store/cache.ts'
import { type Service, startService } from '../support/harness.ts'

let service: Service
let other: Service
beforeAll(async () => {
  service = await startService()
  other = await service.another()
  return async () => {
    await other.close()
    await service.close()
  }
})
afterEach(() => service.rows('delete from node_cache'))

/** Fills the cache with entries of 10 bytes, named by their numbers. One was used last for each second, the first longest ago. */
const fill = (count: number, sameSecond = 1) =>
  service.rows(
    `insert into node_cache (key, type, outputs, bytes, credits, used_at)
    select lpad(i::text, 5, '0'), 'test.paid', '{}', 10, 0, now() - make_interval(secs => 90000 - i / $2::int)
    from generate_series(1, $1::int) i`,
    [count, sameSecond],
  )
const left = async (): Promise<string[]> =>
  (await service.rows<{ key: string }>('select key from node_cache order by key')).map(({ key }) => key)

test('the least recently used entries are removed, no more than necessary', async () => {
  await fill(10)
  await service.rows(`update node_cache set used_at = now_ms() where key = '00002'`)
  expect(await evict(service.database, 100)).toBe(0)
  expect(await evict(service.database, 79)).toBe(3)
  expect(await left()).toEqual(['00002', '00005', '00006', '00007', '00008', '00009', '00010'])
  expect(await evict(service.database, 70)).toBe(0)
  expect(await evict(service.database, 0)).toBe(7)
  expect(await evict(service.database, 0)).toBe(0)
})

test('many are removed in several transactions, also those that were last used at the same moment', async () => {
  await fill(1500, 450)
  expect(await evict(service.database, 3000)).toBe(1200)
  expect(await left()).toEqual(Array.from({ length: 300 }, (_, at) => `0${1201 + at}`))
})

test('several processes at the same time remove together what one would remove', async () => {
  await fill(2000)
  const removed = await Promise.all([service, other, service].map(({ database }) => evict(database, 5000)))
  expect(removed.reduce((sum, count) => sum + count, 0)).toBe(1500)
  expect(await left()).toHaveLength(500)
})

test('nothing more is removed once the process stops', async () => {
  await fill(300)
  const stopping = AbortSignal.abort()
  expect(await evict(service.database, 0, stopping)).toBe(0)
  expect(await left()).toHaveLength(300)
})
