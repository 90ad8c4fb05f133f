// Facts about a page of creatives that are very large: it is read and sent part by part, and is still the page that it would be.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { bytesOfRead } from '../../src/platform/http/large-list.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { watchParts } from '../support/watch-parts.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

/** Adds creatives with subjects of these sizes to a new task, and returns the path of their list. */
async function listOf(sizes: readonly number[]): Promise<string> {
  const { id } = await make.task()
  await service.rows(
    `insert into creatives (id, task_id, name, subject, rolled_up_at)
    select gen_random_uuid(), $1::uuid, $1::text || ' ' || lpad(i::text, 3, '0'), repeat('x', size), now_ms()
    from unnest($2::integer[]) with ordinality as given (size, i)`,
    [id, sizes],
  )
  return `/api/v1/tasks/${id}/creatives`
}

const times = (count: number, size: number): number[] => Array.from({ length: count }, () => size)

test('a page of 10 MB is sent in parts that hold no more than one read, and has every creative in its order', async () => {
  const path = await listOf([10, ...times(16, bytesOfRead / 2), bytesOfRead * 2, 10])
  const parts = watchParts()
  const { data } = await service.get(`${path}?limit=100`)
  expect(parts.length).toBeGreaterThan(8)
  expect(Math.max(...parts)).toBeLessThan(bytesOfRead * 2.1)
  expect(data.items.map(({ subject }: Body) => subject.length)).toEqual([
    ...[10, ...times(16, bytesOfRead / 2), bytesOfRead * 2, 10],
  ])
  expect(data.items.map(({ name }: Body) => name)).toEqual(data.items.map(({ name }: Body) => name).toSorted())
  expect(data.meta).toEqual({ next_cursor: null })
})

test('each creative of such a page is as it is by itself, and pages follow each other', async () => {
  const path = await listOf(times(5, bytesOfRead / 2))
  const first = (await service.get(`${path}?limit=3`)).data
  const second = (await service.get(`${path}?limit=3&cursor=${first.meta.next_cursor}`)).data
  expect([first.items.length, second.items.length, second.meta.next_cursor]).toEqual([3, 2, null])
  for (const item of [...first.items, ...second.items]) {
    expect(await make.read(`/api/v1/creatives/${item.id}`)).toEqual(item)
  }
})

test('a page of usual creatives is sent whole', async () => {
  const parts = watchParts()
  const { data } = await service.get(`${await listOf(times(100, 1000))}?limit=100`)
  expect([data.items.length, parts]).toEqual([100, []])
})

test('a creative that is purged while its page is being sent is left out', async () => {
  const path = await listOf(times(8, bytesOfRead))
  const [, id] = /tasks\/(.*)\/creatives/.exec(path) ?? []
  let isGone = false
  watchParts(async () => {
    if (isGone) return
    isGone = true
    await service.rows(`delete from creatives where task_id = $1 and name like '%008'`, [id])
  })
  const { data } = await service.get(path)
  expect(data.items).toHaveLength(7)
})
