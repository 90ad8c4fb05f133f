// Facts about which deleted records are purged once their retention window has ended, and which are not.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purge } from '../../src/features/tasks/purge.ts'
import { setRetention } from '../../src/platform/db.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { mostRowsAtOnce } from '../support/transactions.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const purged = () => purge(service.database)
/** Changes the time of deletion as if the records had been deleted `days` days earlier. */
const age = (table: 'tasks' | 'creatives', ids: string[], days: number) =>
  service.rows(`update ${table} set deleted_at = deleted_at - make_interval(days => $2) where id = any($1::uuid[])`, [
    ids,
    days,
  ])
const there = async (table: string, ids: string[]): Promise<number> =>
  (await service.rows(`select 1 from ${table} where id = any($1::uuid[])`, [ids])).length

async function deletedTask(names: string[], days: number): Promise<{ id: string; creatives: string[] }> {
  const { task, creatives } = await make.taskWith(names)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  const ids = creatives.map(({ id }: Body) => id)
  await age('tasks', [task.id], days)
  await age('creatives', ids, days)
  return { id: task.id, creatives: ids }
}

test('a task goes with all it had once its window is over, and not a day sooner', async () => {
  const over = await deletedTask(['PURGE_A', 'PURGE_B'], 31)
  const inside = await deletedTask(['PURGE_C'], 29)
  await purged()
  expect(await there('tasks', [over.id, inside.id])).toBe(1)
  expect(await there('creatives', over.creatives)).toBe(0)
  expect(await there('creatives', inside.creatives)).toBe(1)
  expect((await service.get(`/api/v1/tasks/${over.id}`)).body).toMatchObject({ code: 'not_found' })
  expect((await service.post(`/api/v1/tasks/${inside.id}/restore`)).status).toBe(200)
})

test('whoever restores it afterwards is told that the window is over', async () => {
  const { id, creatives } = await deletedTask(['PURGE_D'], 31)
  const before = await service.post(`/api/v1/tasks/${id}/restore`)
  await purged()
  const after = await service.post(`/api/v1/tasks/${id}/restore`)
  expect([before.body.code, after.body.code]).toEqual(['retention_over', 'retention_over'])
  expect((await service.post(`/api/v1/creatives/${creatives[0]}/restore`)).body.code).toBe('retention_over')
})

test('a creative deleted by itself goes by its own window, whether its task lives or is deleted', async () => {
  const { task, creatives } = await make.taskWith(['PURGE_E', 'PURGE_F', 'PURGE_G'])
  const [old, recent] = creatives.map(({ id }: Body) => id)
  await make.deleted(`/api/v1/creatives/${old}`)
  await make.deleted(`/api/v1/creatives/${recent}`)
  await age('creatives', [old], 31)
  await purged()
  expect([await there('creatives', [old]), await there('creatives', [recent])]).toEqual([0, 1])

  await make.deleted(`/api/v1/tasks/${task.id}`)
  await age('creatives', [recent], 31)
  await purged()
  expect(await there('creatives', [recent])).toBe(0)
  await make.restored(`/api/v1/tasks/${task.id}`)
  const { data } = await service.get(`/api/v1/tasks/${task.id}/creatives`)
  expect(data.items.map(({ name }: Body) => name)).toEqual(['PURGE_G'])
})

test('more than a batch goes in one purge, unless the process is stopping', async () => {
  const { id: taskId } = await make.task()
  await service.rows(
    `insert into creatives (id, task_id, name, deleted_at, delete_id)
     select gen_random_uuid(), $1, 'BATCH_' || i, now_ms() - interval '31 days', gen_random_uuid()
     from generate_series(1, 700) as i`,
    [taskId],
  )
  // A process that is stopping purges one batch and leaves the remaining rows to a later purge.
  expect(await purge(service.database, AbortSignal.abort())).toBe(500)
  expect(await purged()).toBe(200)
  expect(await purged()).toBe(0)
})

test('a task with very many creatives goes with all of them, but not in one transaction', async () => {
  const { id, creatives } = await deletedTask(['PURGE_I'], 31)
  await service.rows(
    `insert into creatives (id, task_id, name, deleted_at, delete_id)
     select gen_random_uuid(), task_id, 'MANY_' || i, deleted_at, delete_id
     from creatives, generate_series(1, 1200) as i where id = $1`,
    [creatives[0]],
  )
  const ids = (await service.rows('select id from creatives where task_id = $1', [id])).map((row) => row.id)
  let count = 0
  const most = await mostRowsAtOnce(service, { table: 'creatives', event: 'delete' }, async () => {
    count = await purged()
  })
  expect([count, await there('tasks', [id]), await there('creatives', ids)]).toEqual([1, 0, 0])
  expect(await there('purged', [id, ...ids])).toBe(1202)
  expect(most).toBeLessThanOrEqual(500)
})

test('a task that is half purged does not come back, even if the window is longer by then', async () => {
  const { id, creatives } = await deletedTask(['PURGE_J'], 32)
  const whole = await deletedTask(['PURGE_K'], 31)
  await service.rows(
    `insert into creatives (id, task_id, name, deleted_at, delete_id)
     select gen_random_uuid(), task_id, 'HALF_' || i, deleted_at, delete_id
     from creatives, generate_series(1, 600) as i where id = $1`,
    [creatives[0]],
  )
  await purge(service.database, AbortSignal.abort())
  expect(await there('tasks', [id])).toBe(1)
  const days = 24 * 3600
  setRetention(service.database, 100 * 366 * days)
  expect((await service.post(`/api/v1/tasks/${id}/restore`)).body.code).toBe('retention_over')
  // Nothing of this task was purged yet.
  expect((await service.post(`/api/v1/tasks/${whole.id}/restore`)).status).toBe(200)
  setRetention(service.database, 30 * days)
  await purged()
  expect(await there('tasks', [id])).toBe(0)
})

test('a purge leaves counters and totals right', async () => {
  await deletedTask(['PURGE_H'], 31)
  await purged()
  const totals = await service.rows(
    `select status, deleted, sum(delta)::integer as n from task_counts group by 1, 2 having sum(delta) <> 0 order by 1, 2`,
  )
  const counted = await service.rows(
    'select status, deleted_at is not null as deleted, count(*)::integer as n from tasks group by 1, 2 order by 1, 2',
  )
  expect(totals).toEqual(counted)
})
