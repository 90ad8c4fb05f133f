// Facts about graphs whose model has reached its end date: reading the graph shows it, a start is refused, and nothing is sent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { modelEndNotices } from '../../src/features/graphs/model-ends.ts'
import { automations } from '../support/automations.ts'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { json, serveOutside } from '../support/outside.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'atelier-models-'))
const day = 86_400_000
const soon = new Date(Date.now() + 20 * day).toISOString().slice(0, 10)
const source = { url: 'https://prices.example/', read: '2026-11-01' }
const ending = (id: string, ends_on: string) => ({
  ...{ id, kinds: ['image'], price: null, ends_on, ends_source: source, successor: 'openai:gpt-image-2.5-flare' },
})
const models = [ending('openai:gpt-image-1', '2026-10-23'), ending('openai:gpt-image-1-mini', soon)]

let service: Service
let provider: Awaited<ReturnType<typeof serveOutside>>
beforeAll(async () => {
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ models }))
  provider = await serveOutside(json({ error: { message: 'gone' } }, 404))
  service = await startService({
    ...{ OPENAI_API_KEY: 'sk-never-used', OPENAI_BASE_URL: `${provider.url}/v1` },
    ...{ ATELIER_MODELS: path.join(folder, 'models.json'), ATELIER_IMAGE_MODEL: 'gpt-image-1' },
  })
  service.app.automations.start()
  await service.app.worker.start()
})
afterAll(async () => {
  await service?.close()
  await provider?.close()
  rmSync(folder, { recursive: true })
})

const words = 'The model openai:gpt-image-1 ended on 2026-10-23. openai:gpt-image-2.5-flare takes its place.'
const definition = definitionOf({
  paint: { type: 'image.generate', inputs: { prompt: 'a flask' }, params: { model: 'gpt-image-1' } },
  text: { type: 'text.split', inputs: { text: 'one' } },
})

test('a graph says so with the model’s successor, and does not start', async () => {
  const made = await service.post('/api/v1/graphs', { name: 'Old model', definition })
  expect(made).toMatchObject({ status: 200, body: { errors: [`nodes.paint.params.model: ${words}`] } })
  const { id } = await makeRun(service, definition)
  const refused = await service.post(`/api/v1/runs/${id}/start`, {})
  expect(refused).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'model_ended', msg: words, ctx: { successor: 'openai:gpt-image-2.5-flare' } }] },
  })
})

/** The runs whose start was not refused. */
const started: { id: string }[] = []

test('a start that does not need the node is not refused', async () => {
  const { id } = await makeRun(service, definition)
  expect((await service.post(`/api/v1/runs/${id}/start`, { targets: ['text'] })).status).toBeLessThan(300)
  await untilStatus(service, id, 'succeeded')
  started.push({ id })
})

test('a plan, a run of an automation and a promoted run say so; no run fails of it, and nothing is sent', async () => {
  const invalid = { detail: [{ type: 'model_ended', msg: words }] }
  const { id, graph_id } = await makeRun(service, definition)
  expect(await service.post(`/api/v1/runs/${id}/plan`, {})).toMatchObject({ status: 422, body: invalid })
  expect(await service.post(`/api/v1/graphs/${graph_id}/runs`, { execute: true })).toMatchObject({
    ...{ status: 422, body: invalid },
  })

  const on = automations(service)
  await on.add('Old model', definition, { outputs: [] })
  const task = await on.make.task({ topic: 'Old model' })
  const moved = await on.make.patched(task.id, { status: 'ready_for_production' })
  expect(moved.automation).toMatchObject({ state: 'failed', error: expect.stringContaining(words) })

  const promoted = await service.post(`/api/v1/runs/${id}/restore`)
  expect(promoted.status, promoted.text).toBe(200)
  expect(await service.get(`/api/v1/graphs/${graph_id}`)).toMatchObject({
    body: { errors: [`nodes.paint.params.model: ${words}`] },
  })
  expect(await service.rows('select id from runs where generation > 0')).toEqual(started)
  expect(provider.seen).toEqual([])
})

test('many tasks that are moved at once say so each, and none of them starts a run', async () => {
  const on = automations(service)
  await on.add('Many of an old model', definition, { outputs: [] })
  const tasks = [
    await on.make.task({ topic: 'Many of an old model' }),
    await on.make.task({ topic: 'Many of an old model' }),
  ]
  const ids = tasks.map(({ id }) => id)
  const moved = await service.post('/api/v1/tasks/bulk', { ids, patch: { status: 'ready_for_production' } })
  expect(moved.status, moved.text).toBe(200)
  for (const id of ids) {
    const task = await on.make.read(`/api/v1/tasks/${id}`)
    expect(task.automation).toMatchObject({ state: 'failed', error: expect.stringContaining(words) })
  }
  expect(await service.rows('select id from runs where generation > 0')).toEqual(started)
  expect(provider.seen).toEqual([])
})

test('a node of a run is not rolled again with it, and a node that names none has the operator’s', async () => {
  const { id } = await makeRun(service, definition)
  const roll = { regenerate: [{ node_id: 'paint' }] }
  for (const what of ['start', 'plan'])
    expect(await service.post(`/api/v1/runs/${id}/${what}`, roll)).toMatchObject({
      ...{ status: 422, body: { detail: [{ type: 'model_ended', msg: words }] } },
    })
  const unnamed = { paint: { type: 'image.generate', inputs: { prompt: 'a flask' } } }
  expect(
    (await service.post('/api/v1/graphs', { name: 'None named', definition: definitionOf(unnamed) })).body,
  ).toMatchObject({
    errors: [`nodes.paint.params.model: ${words}`],
  })
  expect(await service.rows('select id from runs where generation > 0')).toEqual(started)
})

test('a run whose model ends while it waits for a person keeps its question until it has another model', async () => {
  const paint = { type: 'image.generate', params: { model: 'gpt-image-1-mini' } }
  const gate = { type: 'gate.approve', inputs: { value: 'a flask' } }
  const waiting = definitionOf({ ok: gate, paint }, 'ok.approved > paint.prompt')
  const { id } = await makeRun(service, waiting, { execute: true })
  await untilStatus(service, id, 'awaiting_input')
  // Not 25 days or more: then the timers that PGlite keeps by this clock would be too long for Node.js after the test, which would
  // run them every millisecond.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 21 * day })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const answer = () => service.post(`/api/v1/runs/${id}/answers`, { node_id: 'ok', answer: { approved: true } })
  expect(await answer()).toMatchObject({
    status: 422,
    body: { detail: [{ type: 'model_ended', msg: expect.stringContaining('takes its place') }] },
  })
  expect(await service.get(`/api/v1/runs/${id}`)).toMatchObject({ data: { status: 'awaiting_input', error: null } })
  expect(provider.seen).toEqual([])

  const living = definitionOf(
    { ok: gate, paint: { ...paint, params: { model: 'painter' } } },
    'ok.approved > paint.prompt',
  )
  expect((await service.patch(`/api/v1/runs/${id}`, { definition: living })).status).toBe(200)
  expect(await runThrough(service, id)).toMatchObject({ status: 'awaiting_input' })
  expect((await answer()).status).toBe(200)
  await untilStatus(service, id, 'failed')
  expect(provider.seen.map(({ body }) => JSON.parse(body).model)).toEqual(['painter'])
})

test('one whose model ends within 60 days is right, and whoever reads it is told when', async () => {
  const paint = { type: 'image.generate', inputs: { prompt: 'a flask' }, params: { model: 'gpt-image-1-mini' } }
  const made = await service.post('/api/v1/graphs', { name: 'Ending model', definition: definitionOf({ paint }) })
  const words = `The model openai:gpt-image-1-mini ends on ${soon}. openai:gpt-image-2.5-flare takes its place.`
  expect(made.body).toMatchObject({ message: words, errors: null })
})

test('the owner of a graph is told of its models’ ends, once for each date; the admins where the owner has gone', async () => {
  const [ada, bob] = [await service.person('writer'), await service.person('writer')]
  const asks = (model: string) =>
    definitionOf({ paint: { type: 'image.generate', inputs: { prompt: 'a flask' }, params: { model } } })
  const made = async (name: string, model: string, owner: { token: string }) =>
    (await service.post('/api/v1/graphs', { name, definition: asks(model) }, owner)).data.id
  const ending = await made('Ending', 'gpt-image-1-mini', ada)
  const lasting = await made('Lasting', 'gpt-image-2.5-flare', ada)
  const orphaned = await made('Orphaned', 'gpt-image-1', bob)
  await service.patch(`/api/v1/users/${bob.id}`, { active: false })
  const { database, clock } = service
  const of = { database, types: service.app.services.nodeTypes.wire, clock }
  const [look, elsewhere] = [modelEndNotices(of), modelEndNotices(of)]
  const never = new AbortController().signal
  const toldTo = async ({ token }: { token: string }): Promise<Body[]> =>
    (await service.get('/api/v1/notices?limit=100', { token })).data.items.filter(
      ({ kind }: Body) => kind === 'model_ends',
    )
  await Promise.all([look(never), elsewhere(never), look(never)])
  expect(await toldTo(ada)).toMatchObject([
    {
      ...{
        graph_id: ending,
        path: `/graphs/${ending}`,
        sentence: 'A model that “Ending” asks ends soon, or has ended',
      },
      excerpt: `The model openai:gpt-image-1-mini ends on ${soon}. openai:gpt-image-2.5-flare takes its place.`,
    },
  ])
  expect((await toldTo(service.owner)).map(({ graph_id }) => graph_id)).toContain(orphaned)

  const patched = await service.patch(`/api/v1/graphs/${lasting}`, { definition: asks('gpt-image-1') }, ada)
  expect(patched.status, patched.text).toBe(200)
  await look(never)
  expect((await toldTo(ada)).map(({ graph_id }) => graph_id).toSorted()).toEqual([ending, lasting].toSorted())
  clock.offset = 21 * day
  await look(never)
  clock.offset = 0
  expect(await toldTo(ada)).toHaveLength(2)
  await service.del(`/api/v1/graphs/${ending}`, ada)
  expect((await toldTo(ada)).map(({ graph_id }) => graph_id)).toEqual([lasting])
})

test('where no model ends, no graph is read', async () => {
  const of = { database: service.database, types: new Map(), clock: service.clock }
  await expect(modelEndNotices(of)(new AbortController().signal)).resolves.toBeUndefined()
})
