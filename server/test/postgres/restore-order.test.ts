// Facts about the order in which a restore claims names. Only PostgreSQL allows other writers during a restore.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const names = Array.from({ length: 10 }, (_, index) => `ORDER_${index}`)

test('a restore claims names in their order, so that two never hold what the other waits for', async () => {
  const make = makers(service)
  const { task, creatives } = await make.taskWith(names.map((name) => `BEFORE_${name}`))
  const other = await make.task()
  await make.deleted(`/api/v1/tasks/${task.id}`)
  // The last name is written first, so that the rows are not in the order of the names. More rows are added and analyzed below,
  // because in a small table the planner would scan the rows, not an index, and the restore would claim names in the order of rows.
  for (const [index, name] of [...names.entries()].toReversed()) {
    const { status } = await service.patch(`/api/v1/creatives/${creatives[index].id}`, { name })
    expect(status).toBe(200)
  }
  await service.rows(
    `insert into creatives (id, task_id, name) select gen_random_uuid(), $1, 'OTHER_' || i from generate_series(1, 60) as i`,
    [other.id],
  )
  await service.rows('analyze creatives')

  const holder = new pg.Client(service.url ?? '')
  await holder.connect()
  const claim = (name: string) =>
    holder.query(`insert into creatives (id, task_id, name) values (gen_random_uuid(), $1, $2)`, [other.id, name])
  await holder.query('begin')
  await claim('ORDER_5')
  const restoring = service.post(`/api/v1/tasks/${task.id}/restore`)
  await eventually(async () => {
    const waiting = await service.rows(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    expect(waiting).toHaveLength(1)
  })

  await claim('ORDER_9') // nobody has claimed it yet
  await holder.query(`savepoint before; set local lock_timeout = '50ms'`)
  await expect(claim('ORDER_2')).rejects.toMatchObject({ code: '55P03' }) // the restore has claimed it already
  await holder.query('rollback')
  await holder.end()
  expect((await restoring).status).toBe(200)
})
