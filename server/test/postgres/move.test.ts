// Facts about moving an embedded database to PostgreSQL in one command.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { foldCounts } from '../../src/features/tasks/purge.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { readConfig } from '../../src/platform/config.ts'
import { type Database, openDatabase } from '../../src/platform/db.ts'
import { embeddedEngine } from '../../src/platform/embedded.ts'
import { createLog } from '../../src/platform/log.ts'
import { migrate } from '../../src/platform/migrate.ts'
import { postgresEngine } from '../../src/platform/postgres.ts'
import { createApp } from '../../src/wiring/app.ts'
import { killChildren, startChild } from '../support/child.ts'
import { type Body, createDatabase, rowsOf } from '../support/harness.ts'

let folder: string
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  folder = path.join(await mkdtemp(path.join(tmpdir(), 'atelier-move-')), 'data')
  ;({ url, drop } = await createDatabase())
})
afterEach(killChildren)
afterAll(async () => {
  await drop()
  await rm(path.dirname(folder), { recursive: true, force: true })
})

const log = createLog('silent')
const moved = (...args: string[]) => movedWith({}, ...args)
const movedWith = async (settings: Record<string, string>, ...args: string[]) => {
  const child = startChild('server/src/main.ts', ['move', ...args], { ATELIER_DATA_DIR: folder, ...settings })
  const { code } = await child.ended
  return { code, out: child.stdout(), error: child.stderr() }
}
const asking = async (database: Database, token: string) => {
  const config = readConfig({ LOG_LEVEL: 'silent', ATELIER_DATA_DIR: folder })
  const app = await createApp({ config, database, log, clock: systemClock })
  const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', at: string, body?: unknown): Promise<Body> => {
    const answer = await app.server.inject({
      method,
      url: `/api/v1${at}`,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    expect(answer.statusCode, answer.payload).toBe(200)
    return answer.json().data
  }
  return { ask, recordUse: () => app.services.auth.recordUse(), stop: () => app.stop() }
}

/** Every row as text, except the list of migrations. For `task_counts` the sums, since `foldCounts` may replace its rows. */
async function contentOf(database: Database): Promise<Record<string, string[]>> {
  const rows = rowsOf(database)
  const tables = await rows<{ name: string }>(
    `select tablename::text as name from pg_tables where schemaname = 'public'
     and tablename not in ('schema_migrations', 'task_counts') order by 1`,
  )
  const content: Record<string, string[]> = {}
  for (const { name } of tables) {
    const found = await rows<{ text: string }>(`select to_jsonb(t)::text as text from "${name}" t order by 1`)
    content[name] = found.map(({ text }) => text)
  }
  content.totals = (
    await rows<{ text: string }>(
      `select status || ' ' || deleted || ' ' || sum(delta) as text from task_counts
       group by status, deleted having sum(delta) <> 0 order by 1`,
    )
  ).map(({ text }) => text)
  return content
}

test('an embedded database moves whole: rows, marks of files, tokens, numbers, cursors; and only to an empty one', async () => {
  expect(await moved('--to', url)).toEqual({
    code: 1,
    out: '',
    error: `There is no embedded database in ${folder} (ATELIER_DATA_DIR): nothing to move.\n`,
  })

  const embedded = openDatabase(await embeddedEngine(folder))
  await migrate(embedded)
  const token = (await ensureOwner(embedded, null))?.token ?? ''
  const before = await asking(embedded, token)
  const name = 'Größe “ß” \\ \' " {} \u{1f9f4} %s $1 \\u0000x'
  for (let index = 0; index < 5; index++) {
    const task = await before.ask('POST', '/tasks', {
      name: `${name} ${index}`,
      status: index % 2 ? 'in_progress' : 'backlog',
      landing: { url: 'https://example.com/?a=1&b="2"', deep: [null, 1.5, { x: '\\' }] },
      subtopics: ['a,b', '"quoted"', 'null'],
      deadline_at: '0001-01-01T00:00:00Z',
      variants: [{ key: 'a', variation_num: 1, tag_slugs: ['hook'] }],
    })
    await before.ask('POST', `/tasks/${task.id}/creatives`, { name: `${name} ${index}`, variation_num: 1 })
    await before.ask('POST', `/tasks/${task.id}/comments`, { text: `${name}\u2028\n` })
    if (index === 4) await before.ask('DELETE', `/tasks/${task.id}`)
  }
  const rows = rowsOf(embedded)
  await rows(
    `insert into files (digest, size, media_type) select repeat(n, 64), 1, 'video/mp4' from unnest(array['a', 'b']) n`,
  )
  await rows(
    `update creatives set file = repeat(case when name like '% 0' then 'a' else 'b' end, 64) where deleted_at is null`,
  )
  await rows(
    `update file_marks set source_type = 'trainedAlgorithmicMedia', read_at = now_ms() where digest = repeat('a', 64)`,
  )
  const definition = { b: name, a: { 'z/~': [1.5, null], y: 1e-7 } }
  const graph = await before.ask('POST', '/graphs', { name, definition, ui_state: { y: 1, x: 2 } })
  // Triggers fill `run_creatives` from two of the tables; of the third creative it has a row although its export is gone.
  const found = await rows<{ id: string; task_id: string }>(
    'select id, task_id from creatives where deleted_at is null',
  )
  for (const { id, task_id } of found.slice(0, 3))
    await rows(
      `insert into exports (run_id, task_id, node_id, port, item, creative_id, at)
       values (gen_random_uuid(), $1, 'image', 'image', '', $2, now())`,
      [task_id, id],
    )
  await rows('delete from exports where creative_id = $1', [found[2]?.id])
  const run = await before.ask('POST', `/graphs/${graph.id}/runs`)
  const said = await before.ask('POST', `/creatives/${found[3]?.id}/review-comments`, { text: name })
  await rows(
    `insert into review_takes (id, comment_id, creative_id, run_id, node_id, port, state)
     values (gen_random_uuid(), $1, $2, $3, 'image', 'image', 'used')`,
    [said.id, found[3]?.id, run.id],
  )
  await foldCounts(embedded.main)
  await rows(`insert into purged (id) select gen_random_uuid() from generate_series(1, 1200)`)
  const page = await before.ask('GET', '/tasks/board?limit=2')
  const rest = await before.ask('GET', `/tasks/board?limit=2&cursor=${page.meta.next_cursor}`)
  await before.recordUse() // done now, because `stop` would record the last use of tokens after `content` was read
  const content = await contentOf(embedded)
  expect(content.run_creatives).toHaveLength(4)
  expect(content.file_marks?.map((text) => JSON.parse(text).source_type)).toEqual(['trainedAlgorithmicMedia', null])

  expect(await moved('--to', url)).toMatchObject({
    code: 1,
    error: expect.stringContaining(`The embedded database in ${folder} is open in process ${process.pid}`),
  })
  await before.stop()
  // Without --to, which others on the machine could read together with the password in it.
  const done = await movedWith({ DATABASE_URL: url })
  expect(done).toMatchObject({ code: 0, error: '' })
  expect(done.out).toMatch(/^ {2}tasks +5$/m)
  expect(done.out).toMatch(/^ {2}purged +1200$/m)
  expect(done.out).not.toContain(new URL(url).password)

  const server = openDatabase(postgresEngine(url, { connections: 4, log }))
  expect(await contentOf(server)).toEqual(content)
  const after = await asking(server, token)
  expect(await after.ask('GET', '/tasks/board?limit=2')).toEqual(page)
  expect(await after.ask('GET', `/tasks/board?limit=2&cursor=${page.meta.next_cursor}`)).toEqual(rest)
  expect((await after.ask('POST', '/tasks', { name: 'Next' })).number).toBe(6)
  expect(JSON.stringify(await after.ask('GET', `/graphs/${graph.id}`))).toBe(JSON.stringify(graph))
  await after.stop()

  expect(await moved('--to', url)).toEqual({
    code: 1,
    out: '',
    error: expect.stringMatching(/^The database to move to has rows already \(in \w+\): move to an empty one\.\n$/),
  })
})

test('without an address to move to it says how', async () => {
  expect(await moved()).toMatchObject({ code: 1, error: expect.stringContaining('Say where to: by DATABASE_URL') })
  expect(await moved('--to', 'mysql://x')).toMatchObject({
    code: 1,
    error: expect.stringContaining('--to postgres://'),
  })
})
