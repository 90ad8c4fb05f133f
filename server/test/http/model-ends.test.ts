// Facts about graphs with a model that has ended: said where the graph is read, refused at a start, and nothing is sent.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'atelier-models-'))
const soon = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const source = { url: 'https://prices.example/', read: '2026-11-01' }
const ending = (id: string, ends_on: string) => ({
  ...{ id, kinds: ['image'], price: null, ends_on, ends_source: source, successor: 'openai:gpt-image-2.5-flare' },
})
const models = [ending('openai:gpt-image-1', '2026-10-23'), ending('openai:gpt-image-1-mini', soon)]

let service: Service
beforeAll(async () => {
  writeFileSync(path.join(folder, 'models.json'), JSON.stringify({ models }))
  service = await startService({
    ...{ OPENAI_API_KEY: 'sk-never-used', ATELIER_MODELS: path.join(folder, 'models.json') },
  })
})
afterAll(async () => {
  await service?.close()
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

test('a start that does not need the node is not refused', async () => {
  const { id } = await makeRun(service, definition)
  expect((await service.post(`/api/v1/runs/${id}/start`, { targets: ['text'] })).status).toBeLessThan(300)
})

test('one whose model ends within 60 days is right, and whoever reads it is told when', async () => {
  const paint = { type: 'image.generate', inputs: { prompt: 'a flask' }, params: { model: 'gpt-image-1-mini' } }
  const made = await service.post('/api/v1/graphs', { name: 'Ending model', definition: definitionOf({ paint }) })
  const words = `The model openai:gpt-image-1-mini ends on ${soon}. openai:gpt-image-2.5-flare takes its place.`
  expect(made.body).toMatchObject({ message: words, errors: null })
})
