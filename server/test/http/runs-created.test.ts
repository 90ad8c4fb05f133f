// Facts about the first checkpoint of a run: it has the run's `created_at`, so a caller can go back to that time.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  await service.app.worker.start()
})
afterAll(() => service.close())

const pictures = (...prompts: string[]) =>
  definitionOf(
    {
      rows: { type: 'list.collect', inputs: { values: prompts } },
      image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    },
    'rows.list > image.prompt',
  )
const exportTo = (id: string, body: object) => service.post(`/api/v1/runs/${id}/export`, body)
const history = async (id: string): Promise<Body[]> => (await service.get(`/api/v1/runs/${id}/history`)).data.items

test('goes back to the moment a run was made, as its own created_at says it', async () => {
  const made = await makeRun(service, pictures('from the start'))
  await service.patch(`/api/v1/runs/${made.id}`, { ui_state: { moved: true } })
  await runThrough(service, made.id)
  expect((await history(made.id)).at(-1)?.at).toBe(made.created_at)
  const back = () => service.post(`/api/v1/runs/${made.id}/history/restore`, { at: made.created_at })
  expect((await back()).data).toMatchObject({ status: 'draft', ui_state: made.ui_state })
  const task = await makers(service).task()
  await runThrough(service, made.id)
  await exportTo(made.id, { task_id: task.id, outputs: [{ node_id: 'image' }] })
  const { data: fork } = await service.post(`/api/v1/runs/${made.id}/start`, { execute: false })
  expect(fork.id).not.toBe(made.id)
  expect((await history(fork.id)).at(-1)?.at).toBe(fork.created_at)
})

test('goes back to the moment of a run whose first checkpoint an earlier version dated after it', async () => {
  const made = await makeRun(service, pictures('from before'))
  await service.rows(`update checkpoints set at = at + interval '5 milliseconds' where subject_id = $1`, [made.id])
  await service.patch(`/api/v1/runs/${made.id}`, { ui_state: { moved: true } })
  const at = (await service.get(`/api/v1/runs/${made.id}`)).data.created_at
  const shown = await service.get(`/api/v1/runs/${made.id}/history/checkpoint?at=${encodeURIComponent(at)}`)
  expect(shown.data.kind).toBe('created')
  const before = new Date(Date.parse(at) - 1).toISOString()
  const early = await service.post(`/api/v1/runs/${made.id}/history/restore`, { at: before })
  expect(early).toMatchObject({ status: 404, body: { code: 'no_checkpoint' } })
  const back = await service.post(`/api/v1/runs/${made.id}/history/restore`, { at })
  expect(back.data.ui_state).toEqual(made.ui_state)
})
