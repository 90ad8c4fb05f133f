// Facts about periodic jobs that look for rows that are due or old: they read these, and not the others. Counted by PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, forgetOld, readGroups } from '../../src/features/notices/outbox.ts'
import { forgetOldNotices, writeDeadlines } from '../../src/features/notices/store.ts'
import { purge } from '../../src/features/tasks/purge.ts'
import { type Service, startOnOneConnection } from '../support/harness.ts'
import { fill, rowsRead } from '../support/rows-read.ts'

/** How many rows there are of each kind. With fewer, PostgreSQL reads a whole table because that is quicker. */
const many = 20_000

let service: Service
beforeAll(async () => {
  service = await startOnOneConnection()
  await fill(
    service,
    `
    insert into deliveries (id, notice_id, user_id, channel, due_at)
    select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'mail', now() + i * interval '1 minute'
    from generate_series(1, ${many}) as i;
    insert into messages (id, user_id, channel, next_at, outcome, ended_at)
    select gen_random_uuid(), gen_random_uuid(), 'mail', now() + i * interval '1 minute',
      case when i % 2 = 0 then 'sent' end, case when i % 2 = 0 then now() end
    from generate_series(1, ${many}) as i;
    insert into notices (id, user_id, kind, place)
    select gen_random_uuid(), gen_random_uuid(), 'mentioned', i::text from generate_series(1, ${many}) as i;
    insert into loose_files (digest) select encode(sha256(i::text::bytea), 'hex') from generate_series(1, ${many}) as i;
    insert into tasks (id, name, search_text, deadline_at)
    select gen_random_uuid(), 't', 't', now() + interval '2 days' + i * interval '1 minute' from generate_series(1, ${many}) as i`,
  )
})
afterAll(() => service.close())

test.each([
  ['waiting notices that are due', () => readGroups(service.database.main, ['mail', 'chat'])],
  ['messages to send', () => claim(service.database.main, 'mail', 8, 60)],
  ['waiting notices and messages to forget', () => forgetOld(service.database.main, ['chat'])],
  ['notices to forget', () => forgetOldNotices(service.database.main)],
  ['deadlines to tell of', () => service.database.tx(writeDeadlines)],
  ['bytes without a row', () => service.app.services.files.purge()],
])('%s are found, and the other rows of their tables are not read', async (_what, look) => {
  const tables = ['deliveries', 'messages', 'notices', 'tasks', 'loose_files']
  expect(await rowsRead(service, tables, look)).toBeLessThan(many / 10)
})

test('a purge of many tasks reads each of their creatives a few times, and not once for each batch', async () => {
  const [tasks, each] = [2000, 3]
  await fill(
    service,
    `
    insert into tasks (id, name, search_text, deleted_at, delete_id)
    select ('10000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'd', 'd', now() - interval '40 days', gen_random_uuid()
    from generate_series(1, ${tasks}) as i;
    insert into creatives (id, task_id, name, deleted_at, delete_id)
    select gen_random_uuid(), id, 'c' || i, deleted_at, delete_id
    from tasks, generate_series(1, ${each}) as i where deleted_at is not null`,
  )
  const read = await rowsRead(service, ['creatives'], async () => {
    expect(await purge(service.database)).toBe(tasks)
  })
  expect(read).toBeLessThan(tasks * each * 4)
})
