// Facts about two changes of a person's notice settings at the same time. Only PostgreSQL allows two writers at once.
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

test('a tick that is saved while a digest is being saved leaves the digest', async () => {
  const { id, token } = await service.person('writer')
  const settings = '/api/v1/notices/settings'
  await service.patch(settings, { time_zone: 'Europe/Vienna' }, { token })
  const other = new pg.Client(service.url ?? '')
  await other.connect()
  await other.query('begin')
  await other.query(
    `update notice_settings set digest = 'hourly', quiet_from = '20:00', quiet_to = '08:00' where user_id = $1`,
    [id],
  )
  const ticking = service.patch(settings, { mail_kinds: ['assigned'] }, { token })
  await eventually(async () => {
    const waiting = await service.rows(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
    )
    expect(waiting).toHaveLength(1)
  })
  await other.query('commit')
  await other.end()
  expect((await ticking).status).toBe(200)
  expect((await service.get(settings, { token })).data).toMatchObject({
    ...{
      digest: 'hourly',
      quiet: { from: '20:00', to: '08:00' },
      time_zone: 'Europe/Vienna',
      mail_kinds: ['assigned'],
    },
  })
})
