// Facts about bulk changes of tasks at their maximum size: they are locked, changed, read and answered part by part.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { processorMs } from '../support/processor-time.ts'
import { watchParts } from '../support/watch-parts.ts'

let service: Service
let ids: string[]
beforeAll(async () => {
  service = await startService()
  const variants = Array.from({ length: 100 }, (_, at) => ({ key: `${at}`, variation_num: at + 1 }))
  const [task] = [await makers(service).task({ variants, count: 100, subject: 'x'.repeat(40) })]
  // Copies of the row are made in less time than tasks.
  const columns = (
    await service.rows(
      `select column_name as name from information_schema.columns
       where table_schema = current_schema() and table_name = 'tasks' and is_generated = 'NEVER'
         and column_name not in ('id', 'number')`,
    )
  ).map(({ name }) => name)
  await service.rows(
    `insert into tasks (id, ${columns}) select gen_random_uuid(), ${columns} from tasks, generate_series(1, 29) where id = $1`,
    [task.id],
  )
  ids = (await service.rows('select id from tasks order by id desc')).map(({ id }) => id)
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

const bulk = (patch: Body, headers: Record<string, string> = {}) =>
  service.post('/api/v1/tasks/bulk', { ids, patch }, { headers })

/** The processor time of `work`, and the longest part of it in which this thread did nothing else. */
async function stretches<T>(work: () => Promise<T>): Promise<{ longest: number; all: number; done: T }> {
  const begun = processorMs()
  let [last, longest, isOver] = [begun, 0, false]
  const look = (): void => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  const done = await work()
  isOver = true
  look()
  return { longest, all: last - begun, done }
}

test('between the parts others are served, and every task is answered whole, in the order asked', async () => {
  const { longest, all, done } = await stretches(() => bulk({ priority: 4 }))
  expect(done.data.updated.map(({ id }: Body) => id)).toEqual(ids)
  for (const task of done.data.updated) {
    expect([task.priority, task.planned_creative_names.length, task.variants.length]).toEqual([4, 10_000, 100])
  }
  expect(longest).toBeLessThan(all / 4)
})

test('no part of the answer is larger than one task', async () => {
  const parts = watchParts()
  const { text } = await bulk({ priority: 3 })
  expect(parts.length).toBeGreaterThanOrEqual(ids.length)
  expect(Math.max(...parts)).toBeLessThan((text.length / ids.length) * 1.5)
})

test('a task is read when its part of the answer is sent, not while others are still in memory', async () => {
  let later: Body = {}
  watchParts(async () => {
    later = await makers(service).patched(ids.at(-1) ?? '', { priority: 5 })
    vi.restoreAllMocks()
  })
  const { data } = await bulk({ priority: 1 })
  expect(data.updated.map(({ priority }: Body) => priority)).toEqual([...ids.slice(1).map(() => 1), 5])
  expect(data.updated.at(-1)).toEqual(later)
})

test('under an Idempotency-Key it is kept as a whole, and repeated to the letter', async () => {
  const key = { 'idempotency-key': 'bulk-large' }
  const first = await bulk({ priority: 2 }, key)
  const again = await bulk({ priority: 2 }, key)
  expect(first.data.updated.map(({ id }: Body) => id)).toEqual(ids)
  expect([again.text === first.text, again.headers['idempotent-replayed']]).toEqual([true, 'true'])
})

test('an answer too large to be kept under a key is refused, and nothing is changed', async () => {
  const large = ids.slice(0, 12)
  const landing = `landing = to_jsonb(repeat('x', 3000000))`
  await service.rows(`update tasks set ${landing}, priority = 3 where id = any($1)`, [large])
  const { status, body } = await service.post(
    '/api/v1/tasks/bulk',
    { ids: large, patch: { priority: 5 } },
    { headers: { 'idempotency-key': 'too-large' } },
  )
  const changed = await service.rows('select from tasks where id = any($1) and priority = 5', [large])
  await service.rows('update tasks set landing = null where id = any($1)', [large])
  expect([status, body.detail[0].loc, changed.length]).toEqual([422, ['header', 'idempotency-key'], 0])
})

test('tasks of the usual size are answered at once', async () => {
  const small: Body[] = []
  for (let made = 0; made < 20; made++) small.push(await makers(service).task({ count: 3 }))
  const parts = watchParts()
  const { data, headers } = await service.post('/api/v1/tasks/bulk', {
    ids: small.map(({ id }) => id),
    patch: { priority: 1 },
  })
  expect([data.updated.length, parts, headers['transfer-encoding']]).toEqual([20, [], undefined])
})
