// Facts about how long drafts, ended runs and the histories of runs are kept if an operator sets a limit.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireRuns } from '../../src/engine/store/expire.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

const day = 86_400
let service: Service
beforeAll(async () => {
  service = await startService()
  await service.app.worker.start()
})
afterAll(() => service.close())

const lines = (text: string) => definitionOf({ line: { type: 'text.template', params: { template: text } } })
const asks = definitionOf(
  { rows: { type: 'list.collect', inputs: { values: ['a', 'b'] } }, ask: { type: 'gate.choose' } },
  'rows.list > ask.options',
)
const expire = (kept: Partial<Parameters<typeof expireRuns>[1]>) =>
  expireRuns(service.database, { runs: null, history: null, ...kept })
const age = (id: string, days: number) =>
  service.rows(
    `update runs set created_at = created_at - make_interval(days => $2),
      updated_at = updated_at - make_interval(days => $2) where id = $1`,
    [id, days],
  )
const rested = async (text: string): Promise<string> => {
  const { id } = await makeRun(service, lines(text))
  await runThrough(service, id)
  return id
}
const deletedAt = async (id: string): Promise<string | null> => (await readRun(service, id)).deleted_at

test('by default every run is kept for ever', async () => {
  await age(await rested('for ever'), 4_000)
  expect(await expire({})).toEqual({ runs: 0, checkpoints: 0 })
})

test('one that has rested longer is deleted, and can be had back, for as long again', async () => {
  const [old, young] = [await rested('old'), await rested('young')]
  await age(old, 91)
  await age(young, 89)
  await expire({ runs: 90 * day })
  expect([await deletedAt(old), await deletedAt(young)]).toEqual([expect.any(String), null])
  expect((await service.post(`/api/v1/runs/${old}/undelete`)).status).toBe(200)
  await expire({ runs: 90 * day })
  expect(await deletedAt(old)).toBeNull()
})

test('one that waits for a person, and one that was exported, stay', async () => {
  const { id: waits } = await makeRun(service, asks)
  await runThrough(service, waits)
  const picture = { type: 'sample.image', params: { width: 64, height: 64 }, inputs: { prompt: 'kept' } }
  const { id: exported } = await makeRun(service, definitionOf({ picture }))
  await runThrough(service, exported)
  const { id: taskId } = await makers(service).task()
  const body = { task_id: taskId, outputs: [{ node_id: 'picture' }] }
  expect((await service.post(`/api/v1/runs/${exported}/export`, body)).status).toBe(200)
  for (const id of [waits, exported]) await age(id, 400)
  await expire({ runs: 90 * day, history: day })
  expect([await deletedAt(waits), await deletedAt(exported)]).toEqual([null, null])
})

test('a history is cut where it was at the limit: that point can still be read, and what came after', async () => {
  const { id } = await makeRun(service, lines('point 0'))
  await runThrough(service, id)
  for (const point of [1, 2, 3, 4]) {
    await service.patch(`/api/v1/runs/${id}`, { definition: lines(`point ${point}`) })
    await runThrough(service, id)
  }
  const history = async (): Promise<Body[]> => (await service.get(`/api/v1/runs/${id}/history?limit=100`)).data.items
  const before = await history()
  const old = before.slice(4)
  // Makes all checkpoints but the newest four older than the limit.
  await service.rows(
    `update checkpoints set at = at - interval '10 days',
    full_at = full_at - interval '10 days' where subject_id = $1 and iso(at) = any($2)`,
    [id, old.map(({ at }) => at)],
  )
  await service.rows(`update runs set created_at = created_at - interval '10 days' where id = $1`, [id])
  const { checkpoints } = await expire({ history: 5 * day })
  expect(checkpoints).toBeGreaterThan(0)
  const left = `select count(*)::int as units from checkpoint_units u
    where not exists (select from checkpoints c where c.subject_id = u.subject_id and c.at = u.at)`
  expect(await service.rows(left)).toEqual([{ units: 0 }])
  const after = await history()
  expect(after.slice(0, 4)).toEqual(before.slice(0, 4))
  expect(after.length).toBe(before.length - checkpoints)
  for (const { at } of after) {
    const { status } = await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${encodeURIComponent(at)}`)
    expect([at, status]).toEqual([at, 200])
  }
  const limit = new Date(Date.now() - 5 * day * 1000).toISOString()
  expect((await service.get(`/api/v1/runs/${id}/history/checkpoint?at=${limit}`)).status).toBe(200)
  expect((await expire({ history: 5 * day })).checkpoints).toBe(0)
})
