// Facts about periodic jobs that look for rows that are due or old: they read these, and not the others. Counted by PostgreSQL.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, forgetOld, readGroups } from '../../src/features/notices/outbox.ts'
import { forgetOldNotices, writeDeadlines } from '../../src/features/notices/store.ts'
import { purge } from '../../src/features/tasks/purge.ts'
import { type Service, startOnOneConnection } from '../support/harness.ts'

/** How many rows there are of each kind. With fewer, PostgreSQL reads a whole table because that is quicker. */
const many = 20_000

let service: Service
beforeAll(async () => {
  service = await startOnOneConnection()
  await fill(`
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
    select gen_random_uuid(), 't', 't', now() + interval '2 days' + i * interval '1 minute' from generate_series(1, ${many}) as i`)
})
afterAll(() => service.close())

/** Inserts rows without their triggers and foreign keys, and gathers the statistics that PostgreSQL plans by. */
const fill = (inserts: string) =>
  service.database.script(`begin; set local session_replication_role = replica; ${inserts}; commit; analyze`)

/** How many rows have been read of the tables until now, by any plan. */
async function rowsRead(tables: readonly string[]): Promise<number> {
  await service.rows('select pg_stat_force_next_flush()')
  const [found] = await service.rows<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as rows from pg_stat_user_tables
     where relname = any($1::text[])`,
    [[...tables]],
  )
  return found?.rows ?? 0
}

test.each([
  ['waiting notices that are due', () => readGroups(service.database.main, ['mail', 'chat'])],
  ['messages to send', () => claim(service.database.main, 'mail', 8, 60)],
  ['waiting notices and messages to forget', () => forgetOld(service.database.main, ['chat'])],
  ['notices to forget', () => forgetOldNotices(service.database.main)],
  ['deadlines to tell of', () => service.database.tx(writeDeadlines)],
  ['bytes without a row', () => service.app.services.files.purge()],
])('%s are found, and the other rows of their tables are not read', async (_what, look) => {
  const tables = ['deliveries', 'messages', 'notices', 'tasks', 'loose_files']
  const before = await rowsRead(tables)
  await look()
  expect((await rowsRead(tables)) - before).toBeLessThan(many / 10)
})

test('a purge of many tasks reads each of their creatives a few times, and not once for each batch', async () => {
  const [tasks, each] = [2000, 3]
  await fill(`
    insert into tasks (id, name, search_text, deleted_at, delete_id)
    select ('10000000-0000-7000-8000-' || lpad(i::text, 12, '0'))::uuid, 'd', 'd', now() - interval '40 days', gen_random_uuid()
    from generate_series(1, ${tasks}) as i;
    insert into creatives (id, task_id, name, deleted_at, delete_id)
    select gen_random_uuid(), id, 'c' || i, deleted_at, delete_id
    from tasks, generate_series(1, ${each}) as i where deleted_at is not null`)
  const before = await rowsRead(['creatives'])
  expect(await purge(service.database)).toBe(tasks)
  expect((await rowsRead(['creatives'])) - before).toBeLessThan(tasks * each * 4)
})
