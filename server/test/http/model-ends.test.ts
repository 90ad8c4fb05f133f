// Facts about graphs with a model that has ended: said where the graph is read, refused at a start, and nothing is sent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Service, startService } from '../support/harness.ts'
import { makeRun } from '../support/runs.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ OPENAI_API_KEY: 'sk-never-used' })
})
afterAll(() => service?.close())

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
