// Facts about ending the automations and takes of runs that have ended: those that cannot be ended now do not keep the others.
import { Refusal } from '@atelier/contract/wire/errors.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settleAutomations } from '../../src/features/automations/settle.ts'
import { settleTakes } from '../../src/features/review/take-settling.ts'
import { createLog } from '../../src/platform/log.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'

/** How many cannot be ended: more than are looked up at a time. */
const stuck = 230

let service: Service
let parts: Pick<Parameters<typeof settleTakes>[0], 'database' | 'log'>
beforeAll(async () => {
  service = await startService()
  parts = { database: service.database, log: createLog('silent') }
  await service.app.worker.start()
})
afterAll(() => service.close())

/** The refusal of an export while no picture can be signed. */
const unsignable = () => Promise.reject(new Refusal('overloaded', 'The picture cannot be signed now.'))

test('automations whose files cannot be put on cards now are each tried once, and a later one is ended', async () => {
  await service.rows(
    `with made as (
      insert into tasks (id, name, search_text, automation_state, automation_started_at)
      select gen_random_uuid(), 'Task ' || i, '', 'running', now() - make_interval(mins => 500 - i)
      from generate_series(0, $1::int) i returning id, name)
    insert into live_automations (task_id, run_id, automation_id, name, outputs, owner_id, entered_at)
    select id, gen_random_uuid(), gen_random_uuid(), name, '[]', $2, now() from made`,
    [stuck, service.owner.id],
  )
  const last = await service.rows<{ task_id: string }>('select task_id from live_automations where name = $1', [
    `Task ${stuck}`,
  ])
  const tried: string[] = []
  await settleAutomations({
    ...parts,
    timeoutSeconds: 3600,
    acts: {
      prepare: (_run, task) => {
        tried.push(task)
        return task === last[0]?.task_id ? Promise.resolve(async () => undefined) : unsignable()
      },
      move: async () => undefined,
    },
  })
  expect([tried.length, new Set(tried).size]).toEqual([stuck + 1, stuck + 1])
  expect(tried.at(-1)).toBe(last[0]?.task_id)
  const [left] = await service.rows('select count(*)::int as count from live_automations')
  expect(left?.count).toBe(stuck)
})

test('takes whose pictures cannot be prepared now are each tried once, and a later one is ended', async () => {
  const make = makers(service)
  const { id: creative } = await make.creative((await make.task()).id, { file: await make.file() })
  const said = await service.post(`/api/v1/creatives/${creative}/review-comments`, { text: 'Warmer, please.' })
  expect(said.status, said.text).toBe(200)
  const run = await runThrough(service, (await makeRun(service, definitionOf({ text: { type: 'input.text' } }))).id)
  await service.rows(
    `with said as (
      insert into review_comments (id, creative_id, version, text, visibility, by_user)
      select gen_random_uuid(), $2, 1, i::text, 'internal', $3 from generate_series(0, $1::int) i returning id, text::int as i)
    insert into review_takes (id, comment_id, creative_id, run_id, node_id, port, item, state, by_user, at)
    select gen_random_uuid(), id, $2, $4, 'image', 'image', i, 'under_way', $3, now() - make_interval(mins => 500 - i) from said`,
    [stuck, creative, service.owner.id, run.id],
  )
  const tried: (number | null)[] = []
  await settleTakes({
    ...parts,
    prepare: (_run, _task, { item }) => {
      tried.push(item)
      if (item !== stuck) return unsignable()
      return Promise.resolve(() => Promise.reject(new Refusal('not_found', 'The run has no such file.')))
    },
    crash: () => undefined,
  })
  expect(tried).toEqual(Array.from({ length: stuck + 1 }, (_, item) => item))
  expect(await service.rows(`select item, error from review_takes where state = 'failed'`)).toEqual([
    { item: stuck, error: 'The run has no such file.' },
  ])
})
