// Facts about targets that a run is prepared for: which later start they limit, and what becomes of them when the run's history is
// restored or its definition loses them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults } from '../support/make.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  await service.app.worker.start()
})
afterAll(() => service.close())

const words = (...ids: string[]) =>
  definitionOf(Object.fromEntries(ids.map((id) => [id, { type: 'text.template', params: { template: id } }])))
const path = (id: string) => `/api/v1/runs/${id}`
const start = (id: string, body?: object) => service.post(`${path(id)}/start`, body)
const history = async (id: string): Promise<Body[]> => (await service.get(`${path(id)}/history`)).data.items
const restore = async (id: string, kind: string): Promise<Body> => {
  const point = (await history(id)).find((one) => one.kind === kind)
  return (await service.post(`${path(id)}/history/restore`, { at: point?.at })).data
}
const executed = async (id: string) => Object.keys((await runThrough(service, id)).nodes).toSorted()

test('a restore brings back targets that are for the next start', async () => {
  const { id } = await makeRun(service, words('a', 'b'))
  await runThrough(service, id)
  await service.patch(path(id), { targets: ['a'] })
  await restore(id, 'created')
  expect(await restore(id, 'left')).toMatchObject({ status: 'succeeded', targets: ['a'] })
  expect(await executed(id)).toEqual(['a'])
})

test('a restore makes nothing of the next start of targets that were for one before', async () => {
  const { id } = await makeRun(service, words('a', 'b'))
  await runThrough(service, id, { targets: ['a'] })
  await service.patch(path(id), { definition: words('a', 'b', 'c') })
  await runThrough(service, id)
  expect(await restore(id, 'edited')).toMatchObject({ status: 'draft', targets: ['a'] })
  expect(await executed(id)).toEqual(['a', 'b', 'c'])
})

test('a checkpoint of an earlier version, which does not say so, makes a draft that is prepared', async () => {
  const { id } = await makeRun(service, words('a', 'b'), { targets: ['a'] })
  await service.rows(
    `update checkpoints set content = (content::jsonb - 'targets_prepared')::json where subject_id = $1`,
    [id],
  )
  await runThrough(service, id, { targets: [] })
  expect(await restore(id, 'created')).toMatchObject({ status: 'draft', targets: ['a'] })
  expect(await executed(id)).toEqual(['a'])
})

test('of prepared targets a start takes those that the definition still has', async () => {
  const { id } = await makeRun(service, words('a', 'b', 'c'), { targets: ['a', 'b'] })
  await service.patch(path(id), { definition: words('b', 'c') })
  expect(await executed(id)).toEqual(['b'])
  expect((await readRun(service, id)).targets).toEqual(['b'])
})

test('where the definition has none of them, a start has to say what it is for, and pays for nothing unasked', async () => {
  const { id } = await makeRun(service, words('a', 'b'), { targets: ['a'] })
  await service.patch(path(id), { definition: words('b', 'c') })
  for (const refused of [await start(id), await service.post(`${path(id)}/plan`)]) {
    expect(faults(refused)).toEqual(['missing body.targets'])
    expect(refused.body.detail[0].msg).toContain('“a”')
  }
  expect((await service.post(`${path(id)}/plan`, { targets: [] })).status).toBe(200)
  expect(Object.keys((await runThrough(service, id, { targets: [] })).nodes).toSorted()).toEqual(['b', 'c'])
})

test('a definition that gets a prepared target back is started for it', async () => {
  const { id } = await makeRun(service, words('a', 'b'), { targets: ['a'] })
  await service.patch(path(id), { definition: words('b') })
  await service.patch(path(id), { definition: words('a', 'b') })
  expect(await executed(id)).toEqual(['a'])
})
