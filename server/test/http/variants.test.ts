// Facts about variants: which planned places files fill, which names the files get, and what a run for one variant reads.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers } from '../support/make.ts'
import { makeRun, readRun, runThrough } from '../support/runs.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  await service.app.worker.start()
})
afterAll(() => service.close())

/** A task with two variants and two planned creatives for each. */
const planned = () =>
  make.task({
    name: 'Planned',
    count: 2,
    messaging_angle: 'pain_relief',
    variants: [
      { key: 'a', variation_num: 1, hook_type: 'pov' },
      { key: 'b', variation_num: 4, messaging_angle: 'social_proof' },
    ],
  })
const creativesOf = async (id: string): Promise<Body[]> => (await make.read(`/api/v1/tasks/${id}/creatives`)).items
const placesOf = async (id: string) =>
  (await creativesOf(id)).map(({ name, variation_num }): [string, number | null] => [name, variation_num])
const pictures = (...prompts: string[]) =>
  definitionOf(
    {
      card: { type: 'task.fields' },
      rows: { type: 'list.collect', inputs: { values: prompts } },
      image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    },
    'rows.list > image.prompt',
  )

test('creatives take the planned places in their order, with their variants, then the names after them', async () => {
  const task = await planned()
  const [first, second, third, fourth] = task.planned_creative_names
  await make.creative(task.id, { name: second })
  for (let made = 0; made < 4; made++) await make.creative(task.id)
  const places = new Map(await placesOf(task.id))
  expect([first, second, third, fourth].map((name) => places.get(name))).toEqual([1, 1, 4, 4])
  expect(places.size).toBe(5)
  expect([...places.values()].filter((variant) => variant === null)).toHaveLength(1)
  const angles = new Map(
    (await creativesOf(task.id)).map(({ name, messaging_angle, hook_type }) => [name, [messaging_angle, hook_type]]),
  )
  expect([angles.get(first), angles.get(third)]).toEqual([
    ['pain_relief', 'pov'],
    ['social_proof', null],
  ])
})

test('a variant that is asked for is the one it gets, none included', async () => {
  const task = await planned()
  await make.creative(task.id, { variation_num: 4 })
  await make.creative(task.id, { variation_num: null })
  const [, , third] = task.planned_creative_names
  expect(await placesOf(task.id)).toEqual(expect.arrayContaining([[third, 4]]))
  expect((await placesOf(task.id)).map(([, variant]) => variant).toSorted()).toEqual([4, null])
})

test('a place whose name another task has taken is passed over', async () => {
  const task = await planned()
  const [first, second] = task.planned_creative_names
  await make.taskWith([first])
  await make.creative(task.id)
  expect(await placesOf(task.id)).toEqual([[second, 1]])
})

test('an export fills the planned places, as its plan says, and the task is done with what was planned', async () => {
  const task = await planned()
  const { id } = await makeRun(service, pictures('a', 'b', 'c', 'd'), { pinned_task_id: task.id, task_id: task.id })
  await runThrough(service, id)
  const outputs = [{ node_id: 'image' }]
  const { data: plan } = await service.post(`/api/v1/runs/${id}/export/plan`, { outputs })
  const named = plan.files.map(({ name, variation_num }: Body) => [name, variation_num])
  expect(named).toEqual(task.planned_creative_names.map((name: string, at: number) => [name, at < 2 ? 1 : 4]))
  await service.post(`/api/v1/runs/${id}/export`, { outputs })
  expect(await placesOf(task.id)).toEqual(named.toSorted())
  expect((await make.read(`/api/v1/tasks/${task.id}`)).planned_creatives_done).toEqual(task.planned_creative_names)
})

test('files of one export can be for different variants', async () => {
  const task = await planned()
  const { id } = await makeRun(service, pictures('a', 'b'), { pinned_task_id: task.id, task_id: task.id })
  await runThrough(service, id)
  const outputs = [
    { node_id: 'image', item: 0, variation_num: 4 },
    { node_id: 'image', item: 1, variation_num: null },
  ]
  const { data: plan } = await service.post(`/api/v1/runs/${id}/export/plan`, { outputs })
  await service.post(`/api/v1/runs/${id}/export`, { outputs })
  expect(plan.files.map(({ variation_num }: Body) => variation_num)).toEqual([4, null])
  expect((await placesOf(task.id)).map(([name]) => name).toSorted()).toEqual(
    plan.files.map(({ name }: Body) => name).toSorted(),
  )
})

test('a run for one variant reads that one, and its files go to its names; promoted, the graph is for all again', async () => {
  const task = await planned()
  const body = { pinned_task_id: task.id, task_id: task.id, variation_num: 4 }
  const { id, graph_id } = await makeRun(service, pictures('a'), body)
  const run = await runThrough(service, id)
  expect(run.definition.nodes.card.params).toEqual({ variant: 4 })
  expect(run.nodes.card.outputs).toMatchObject({ messaging_angle: 'social_proof' })
  expect(run.nodes.card.outputs.planned_names).toEqual(task.planned_creative_names.slice(2))
  await service.post(`/api/v1/runs/${id}/export`, { outputs: [{ node_id: 'image' }] })
  expect(await placesOf(task.id)).toEqual([[task.planned_creative_names[2], 4]])
  const before = await make.read(`/api/v1/graphs/${graph_id}`)
  const promoted = await service.post(`/api/v1/runs/${id}/restore`)
  expect(promoted).toMatchObject({ status: 200, data: { definition: before.definition } })
  expect((await readRun(service, id)).edited).toBe(true)
})

test('a run cannot be for a variant that its task does not have', async () => {
  const task = await planned()
  const graph = (await service.post('/api/v1/graphs', { name: 'Any', definition: pictures('a') })).data
  const asked = (body: object) => service.post(`/api/v1/graphs/${graph.id}/runs`, body)
  for (const body of [{ task_id: task.id, variation_num: 2 }, { variation_num: 1 }]) {
    expect(faults(await asked(body))).toEqual(['value_error body.variation_num'])
  }
})
