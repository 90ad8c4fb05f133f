// Facts about the plans of kept (prepared) statements: after a few executions, PostgreSQL keeps one plan for any values. It would
// plan a statement anew at each execution, which costs up to 3 ms, if it expected a plan for the given values to be cheaper
// (server/src/platform/rows.ts prevents this).
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/platform/db.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startOnOneConnection } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'

/** How many executions get a plan for their values; then PostgreSQL compares the costs of these plans with a generic one. */
const firstPlans = 5
const times = 12

let service: Service
let database: Database
beforeAll(async () => {
  // All statements are prepared on the connection that the test asks.
  service = await startOnOneConnection()
  database = service.database
  // If autovacuum gathered statistics of these small tables at some moment of the test, PostgreSQL would compare costs from before
  // with others from afterwards, and read all rows of a table instead of asking an index.
  const { rows: tables } = await sql<{ name: string }>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(
    database.main,
  )
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(database.main)
})
afterAll(() => service.close())

/** The names of kept statements that were planned more often than in their first executions. */
async function plannedAnew(): Promise<string[]> {
  const { rows } = await sql<{ name: string; often: boolean }>`
    select name, custom_plans > ${firstPlans} as often from pg_prepared_statements where name <> ''`.execute(
    database.main,
  )
  expect(rows.length).toBeGreaterThan(20)
  return rows.filter(({ often }) => often).map(({ name }) => name)
}

test('what boards, tasks, launches and lookups send is planned once', async () => {
  const make = makers(service)
  const tasks: Body[] = []
  for (let turn = 0; turn < times; turn++) {
    const task = await make.task({ name: `Task ${turn}` })
    const creatives = [await make.creative(task.id), await make.creative(task.id)]
    tasks.push(task)
    await make.patched(task.id, { subject: `Subject ${turn}` })
    await make.patched(task.id, { status: 'in_progress' })
    await make.comment(task.id)
    const [ofTask, ofCreative] = [freshAdId(), freshAdId()]
    await doors(service).packs({ task_id: task.id, ad_id: ofTask })
    await doors(service).creatives({ name: creatives[0]?.name, ad_id: ofCreative })
    for (const names of [[creatives[0]?.name], creatives.map(({ name }) => name)])
      await doors(service).lookup({ names, ad_ids: [ofTask, ofCreative].slice(0, names.length) })
    for (const path of ['tasks/board?limit=5', 'tasks/board?status=in_progress', 'tasks/deleted', `tasks/${task.id}`])
      await make.read(`/api/v1/${path}`)
    await make.read(`/api/v1/tasks/${task.id}/creatives`)
    await make.read(`/api/v1/creatives/${creatives[0]?.id}`)
  }
  expect(await plannedAnew()).toEqual([])
})

test('what runs of paid and free nodes send is planned once', async () => {
  await service.app.worker.start()
  for (let turn = 0; turn < times; turn++) {
    const definition = definitionOf(
      {
        from: { type: 'input.text', params: { value: 'x' } },
        one: { type: 'sample.chat', params: { prompt: `turn ${turn}: {{ text }}` } },
        next: { type: 'sample.chat', params: { prompt: 'then {{ text }}' } },
      },
      'from.text > one.text',
      'one.text > next.text',
    )
    const { id } = await makeRun(service, definition)
    const { status } = await runThrough(service, id)
    expect(status).toBe('succeeded')
  }
  expect(await plannedAnew()).toEqual([])
})

/**
 * The names of kept statements without a limit in which PostgreSQL would let several processes read tasks or creatives, if starting a
 * process cost nothing. With a limit, a statement is so cheap that PostgreSQL would not do that.
 */
async function readByMany(): Promise<string[]> {
  const { rows } = await sql<{ name: string; values: number }>`
    select name, cardinality(parameter_types) as values from pg_prepared_statements
    where name <> '' and statement !~ '\\mlimit\\M'`.execute(database.main)
  return database.tx(async (tx) => {
    for (const name of ['min_parallel_table_scan_size', 'min_parallel_index_scan_size', 'parallel_setup_cost'])
      await sql`select set_config(${name}, '0', true), set_config('parallel_tuple_cost', '0', true)`.execute(tx)
    await sql`set local plan_cache_mode = force_generic_plan`.execute(tx)
    // Plans that exist are not made anew when settings change.
    await sql`discard plans`.execute(tx)
    const names: string[] = []
    for (const { name, values } of rows) {
      const nulls = values === 0 ? '' : `(${Array(values).fill('null').join(', ')})`
      const plan = await sql<{ 'QUERY PLAN': string }>`${sql.raw(`explain execute "${name}"${nulls}`)}`.execute(tx)
      const isShared = plan.rows.some((line) => /Parallel .* on (tasks|creatives) /.test(line['QUERY PLAN']))
      if (isShared) names.push(name)
    }
    return names
  })
}

test('no kept statement starts processes to read tasks, since that takes 13 ms', async () => {
  await makers(service).read('/api/v1/tasks/deleted')
  await makers(service).read('/api/v1/tasks/deleted')
  expect(await readByMany()).toEqual([])
})
