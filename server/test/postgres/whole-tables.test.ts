// Facts about requests for a few rows of large tables: they do not read the others. Counted by PostgreSQL, which counts the rows that
// it reads without an index.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Service, startOnOneConnection } from '../support/harness.ts'
import { fill, rowsRead } from '../support/rows-read.ts'

/** How many creatives, launches and runs there are. With fewer, PostgreSQL reads a whole table because that is quicker. */
const many = 20_000
/** The number of a task in the middle; each task has three creatives and three runs. */
const task = '10000000-0000-7000-8000-000000003000'

let service: Service
beforeAll(async () => {
  service = await startOnOneConnection()
  const idOf = (kind: number, number: string) =>
    `('${kind}0000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`
  await fill(
    service,
    `
    insert into tasks (id, name, search_text) select ${idOf(1, 'i')}, 't' || i, 't' || i from generate_series(0, ${many / 3}) i;
    insert into creatives (id, task_id, name, file)
    select ${idOf(2, 'i')}, ${idOf(1, 'i / 3')}, 'c' || i, md5(i::text) || md5(i::text) from generate_series(1, ${many}) i;
    insert into launches (id, ad_id, launched_at, creative_id, name)
    select ${idOf(3, 'i')}, i::text, now(), ${idOf(2, 'i')}, 'c' || i from generate_series(1, ${many}) i;
    insert into graphs (id, name, name_folded, definition, ui_state, signature, owner_id, checkpoint_at, created_at, updated_at)
    select ${idOf(6, 'i')}, 'g', case when i = 7 then 'rare' else 'common' end, '{}', '{}', '', ${idOf(5, '1')}, now(), now(), now()
    from generate_series(1, 100) i;
    insert into graphs (id, name, name_folded, definition, ui_state, signature, owner_id, checkpoint_at, created_at, updated_at)
    select ${idOf(7, 'i')}, 'u', 'unused', '{}', '{}', '', ${idOf(5, '1')}, now(), now(), now() from generate_series(1, 100) i;
    insert into runs (id, graph_id, definition, ui_state, signature, forked_signature, status, owner_id, pinned_task_id, task_id,
      checkpoint_at, created_at, updated_at)
    select ${idOf(4, 'i')}, ${idOf(6, 'case when i in (3000, 4000) then 7 else 8 + i % 90 end')}, '{}', '{}', i::text, i::text, case when i = 9000 then 'awaiting_input' else 'succeeded' end,
      ${idOf(5, 'i / 3')}, ${idOf(1, 'i / 3')}, case when i % 2 = 0 then ${idOf(1, 'i / 3')} end, now(), now(), now()
    from generate_series(1, ${many}) i`,
  )
})
afterAll(() => service.close())

/** The number of rows that were read without an index until now, in all tables that were filled. */
async function readWhole(): Promise<number> {
  await service.rows('select pg_stat_force_next_flush()')
  const [found] = await service.rows<{ rows: number }>(`
    select sum(seq_tup_read)::float8 as rows from pg_stat_user_tables
    where relname in ('tasks', 'creatives', 'launches', 'voided_launches', 'runs')`)
  return found?.rows ?? 0
}

test.each([
  ['the review of a task', `/tasks/${task}/review`, 3],
  ['the launches of a task', `/tasks/${task}/launches`, 3],
  ['the runs of a task', `/runs?task_id=${task}`, 3],
  ['the runs of a person', '/runs?owner_id=50000000-0000-7000-8000-000000003000', 3],
  ['the runs that wait for an answer', '/runs?status=awaiting_input', 1],
])('%s is read by indexes', async (_what, path, count) => {
  const before = await readWhole()
  const { status, data } = await service.get(`/api/v1${path}`)
  expect([status, data.items.length]).toEqual([200, count])
  expect((await readWhole()) - before).toBeLessThan(many / 10)
})

const owner = '50000000-0000-7000-8000-000000001000'
test.each([
  ['the name of a graph with two runs', 'rare', 2],
  ['a name that no graph has', 'absent', 0],
  ['a name that most graphs have', 'common', 24],
  ['a name that only graphs without runs have', 'unused', 0],
  ['a name that no graph has, of one owner', `absent&owner_id=${owner}`, 0],
  ['a name that no graph has, of all that failed', 'absent&status=failed', 0],
  ['the name of a graph with two runs, of one owner', `rare&owner_id=${owner}`, 1],
])('a search of runs for %s reads few runs', async (_what, term, count) => {
  const read = await rowsRead(service, ['runs'], async () => {
    const { status, data } = await service.get(`/api/v1/runs?search=${term}&limit=24`)
    expect([status, data.items.length]).toEqual([200, count])
  })
  expect(read).toBeLessThan(many / 10)
})
