// Facts about promoting a run: which variants the graph reads then, when the answer says that the graph had changed, and that the
// plan tells both beforehand.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expireRuns } from '../../src/engine/store/expire.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'
import { makeGraph, makeRun, runThrough } from '../support/runs.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  await service.app.worker.start()
})
afterAll(() => service.close())

const card = (variant?: number) => ({ type: 'task.fields', params: variant === undefined ? {} : { variant } })
const picture = { type: 'sample.image', params: { width: 64, height: 64 }, inputs: { prompt: 'a' } }
const path = (id: string) => `/api/v1/runs/${id}`

/** Plans a promotion, promotes, and expects that the plan told what was done. Returns the graph's definition and the message. */
async function promote(id: string): Promise<{ definition: Body; message: string | null }> {
  const { data: plan } = await service.get(`${path(id)}/restore/plan`)
  const { status, data, body } = await service.post(`${path(id)}/restore`)
  expect(status).toBe(200)
  expect(plan).toEqual({ definition: data.definition, graph_changed: body.message !== null })
  return { definition: data.definition, message: body.message }
}

/** A task with the variants 1, 2 and 3, for which runs can be made. */
const planned = () =>
  make.task({ count: 1, variants: [1, 2, 3].map((variation_num) => ({ key: `v${variation_num}`, variation_num })) })
const runFor = async (definition: object, variation_num: number): Promise<Body> => {
  const task = await planned()
  return makeRun(service, definition, { task_id: task.id, pinned_task_id: task.id, variation_num })
}
const exported = async (id: string): Promise<void> => {
  await runThrough(service, id)
  const { status, text } = await service.post(`${path(id)}/export`, { outputs: [{ node_id: 'image' }] })
  expect(status, text).toBe(200)
}

test('a graph whose nodes read different variants keeps them, whether the run is for one or for all', async () => {
  const definition = definitionOf({ a: card(1), b: card(2) })
  const { id } = await makeRun(service, definition)
  expect(await promote(id)).toEqual({ definition, message: null })
  const one = await runFor(definition, 3)
  expect(one.definition.nodes.a.params).toEqual({ variant: 3 })
  expect(await promote(one.id)).toEqual({ definition, message: null })
})

test('what a person wrote in the run is promoted, also where it is a variant', async () => {
  const { id } = await makeRun(service, definitionOf({ a: card(1) }))
  const edited = definitionOf({ a: card(2), added: card(3) })
  await service.patch(path(id), { definition: edited })
  expect((await promote(id)).definition).toEqual(edited)

  const one = await runFor(definitionOf({ a: card(1), b: card() }), 3)
  await service.patch(path(one.id), { definition: definitionOf({ a: card(3), b: card(2), added: card(3) }) })
  expect((await promote(one.id)).definition).toEqual(definitionOf({ a: card(1), b: card(2), added: card(3) }))
})

test('a fork of a run for a variant gives the graph back what it read', async () => {
  const definition = definitionOf({ a: card(1), b: card(), image: picture })
  const { id } = await runFor(definition, 2)
  await exported(id)
  const fork = (await service.post(`${path(id)}/start`, { execute: false })).data
  expect([fork.copied_from, fork.definition.nodes.a.params]).toEqual([id, { variant: 2 }])
  expect(await promote(fork.id)).toEqual({ definition, message: null })
})

/** Makes the history of a run older than an operator keeps it, and cuts it, so that its first checkpoint is removed. */
async function forgetBeginning(id: string): Promise<void> {
  await service.rows(`update checkpoints set at = at - interval '10 days' where subject_id = $1`, [id])
  expect(await expireRuns(service.database, { runs: null, history: 86_400 })).toEqual({ runs: 0, checkpoints: 1 })
}
/** Makes a run look as an earlier version created it, which did not store for which variant a run is. */
const asBefore = (id: string) => service.rows('update runs set for_variant = null where id = $1', [id])

test('a variant that a person wrote in a run is promoted, and that of the run is not, once its beginning is forgotten', async () => {
  const definition = definitionOf({ a: card(1), b: card() })
  for (const before of [async () => {}, asBefore]) {
    const { id } = await makeRun(service, definition)
    const edited = definitionOf({ a: card(2), b: card(2) })
    await service.patch(path(id), { definition: edited })
    const one = await runFor(definition, 3)
    await service.patch(path(one.id), { definition: definitionOf({ a: card(3), b: card(3), added: card() }) })
    for (const run of [id, one.id]) {
      await before(run)
      await forgetBeginning(run)
    }
    expect((await promote(id)).definition).toEqual(edited)
    expect((await promote(one.id)).definition).toEqual(definitionOf({ a: card(1), b: card(), added: card() }))
  }
})

test('a variant that a person wrote in a fork is promoted, also once its original is purged', async () => {
  for (const before of [async () => {}, asBefore]) {
    const { id } = await makeRun(service, definitionOf({ a: card(1), image: picture }), {
      pinned_task_id: (await make.task()).id,
    })
    await exported(id)
    const fork = (await service.post(`${path(id)}/start`, { execute: false })).data
    const edited = definitionOf({ a: card(2), image: picture })
    await service.patch(path(fork.id), { definition: edited })
    await before(fork.id)
    await service.rows('update runs set copied_from = gen_random_uuid() where id = $1', [fork.id])
    await forgetBeginning(fork.id)
    expect((await promote(fork.id)).definition).toEqual(edited)
  }
})

test('a graph that changed between a run and its fork is said to have changed', async () => {
  const definition = definitionOf({ image: picture })
  const graph = await makeGraph(service, definition)
  const { data: run } = await service.post(`/api/v1/graphs/${graph.id}/runs`, {
    pinned_task_id: (await make.task()).id,
  })
  await exported(run.id)
  const other = definitionOf({ image: picture, theirs: card() })
  await service.patch(`/api/v1/graphs/${graph.id}`, { definition: other })
  const fork = (await service.post(`${path(run.id)}/start`, { execute: false })).data
  const { definition: now, message } = await promote(fork.id)
  expect(now).toEqual(definition)
  expect(message).toContain('had changed')
})

test('of a fork whose original was purged, the graph is compared with how it stood when the fork was made', async () => {
  const { id, graph_id } = await runFor(definitionOf({ a: card(1), image: picture }), 2)
  await exported(id)
  const fork = (await service.post(`${path(id)}/start`, { execute: false })).data
  await service.rows('update runs set copied_from = gen_random_uuid() where id = $1', [fork.id])
  const plan = async () => (await service.get(`${path(fork.id)}/restore/plan`)).data
  expect(await plan()).toEqual({ definition: definitionOf({ a: card(1), image: picture }), graph_changed: false })
  await service.patch(`/api/v1/graphs/${graph_id}`, { definition: definitionOf({ a: card(1) }) })
  expect((await plan()).graph_changed).toBe(true)
})

test('the plan of a run whose graph is gone is refused', async () => {
  const { id } = await makeRun(service, definitionOf({ a: card() }))
  await service.rows('update runs set graph_id = null where id = $1', [id])
  expect(refusal(await service.get(`${path(id)}/restore/plan`))).toEqual([409, 'graph_deleted'])
})
