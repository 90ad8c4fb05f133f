// In charge of the facts of the demo's graphs: each goes over the API from its start to creatives on a card.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seedDemo } from '../../src/features/demo/seed.ts'
import { keepArtifact } from '../support/artifacts.ts'
import { automations } from '../support/automations.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { untilStatus } from '../support/runs.ts'

/** Milliseconds that a busy machine may take to seed the demo, and to draw its pictures. */
const patience = 180_000

let service: Service
let on: ReturnType<typeof automations>
beforeAll(async () => {
  service = await startService()
  on = automations(service)
  const { app, database, config } = service
  await seedDemo(database, config, { files: app.services.files, entering: app.automations.entering })
  app.automations.start()
  await app.worker.start()
}, patience)
afterAll(() => service.close())

/** Width × height of the files of a card's creatives, in the order of their names; each is kept to be looked at. */
async function sizesOf(taskId: string, name: string): Promise<string[]> {
  const sizes: string[] = []
  for (const { file } of await on.creativesOf(taskId)) {
    const { bytes } = await service.get(`/api/v1/files/${file}`)
    const { width, height } = await sharp(bytes).metadata()
    sizes.push(`${width}x${height}`)
    await keepArtifact(`${name}-${sizes.length}-${width}x${height}.png`, bytes)
  }
  return sizes
}

/** A card, and a run of a fork of this template for it, at its gate. */
async function runTemplate(name: string): Promise<{ task: Body; run: Body }> {
  const { items } = await on.make.read('/api/v1/graphs?template=true')
  const template = items.find((graph: Body) => graph.name === name)
  const { data: fork } = await service.post(`/api/v1/graphs/${template.id}/fork`)
  const task = await on.make.task({ name })
  const body = { pinned_task_id: task.id, task_id: task.id, execute: true }
  const { data: started } = await service.post(`/api/v1/graphs/${fork.id}/runs`, body)
  return { task, run: await untilStatus(service, started.id, 'awaiting_input', 'failed') }
}

async function answer(run: Body, node_id: string, given: unknown): Promise<void> {
  const { status, text } = await service.post(`/api/v1/runs/${run.id}/answers`, { node_id, answer: given })
  expect(status, text).toBe(200)
}

async function exported(run: Body, output: object): Promise<void> {
  const ended = await untilStatus(service, run.id, 'succeeded', 'failed')
  expect(ended.error).toBeNull()
  const { status, text } = await service.post(`/api/v1/runs/${run.id}/export`, { outputs: [output] })
  expect(status, text).toBe(200)
}

test(
  'statics: the task of the automation waits for a picture; one is re-rolled, one picked, and five sizes are on the card',
  async () => {
    const [{ id }] = await service.rows(`select id from tasks where name = 'The cool side, in every size'`)
    const waiting = await on.untilState(id, 'awaiting_input', 'failed')
    expect(waiting).toMatchObject({ status: 'ready_for_production', automation: { error: null } })
    const [{ id: run }] = await on.runsOf(id)
    const before = await on.make.read(`/api/v1/runs/${run}`)
    expect(before.nodes.pick.checkpoint.request.options).toHaveLength(4)
    expect(before.nodes.headline.checkpoint.request.value).toBe('Stop flipping the pillow')
    await service.post(`/api/v1/runs/${run}/start`, { regenerate: [{ node_id: 'pictures', item: 2 }] })
    const after = await untilStatus(service, run, 'awaiting_input')
    const options = (of: Body): string[] => of.nodes.pick.checkpoint.request.options.map(({ digest }: Body) => digest)
    expect(options(after).map((digest, at) => digest === options(before)[at])).toEqual([true, true, false, true])
    await answer(after, 'headline', { value: 'Stop flipping the pillow' })
    await answer(after, 'pick', { selected: [2] })
    const done = await on.until(
      id,
      ({ automation }) => !['awaiting_input', 'pending', 'running'].includes(automation.state),
    )
    expect(done).toMatchObject({ status: 'tech_check', automation: { state: 'succeeded', error: null } })
    expect(await sizesOf(id, 'statics')).toEqual(['1080x1350', '1080x1920', '1200x628', '300x250', '728x90'])
  },
  patience,
)

test(
  'copy from a table: each locale has its hook, a sentence that somebody looked over, and a picture on the card',
  async () => {
    const { task, run } = await runTemplate('Copy variants from a table')
    const { value } = run.pending_input.request
    expect(value.map(({ locale }: Body) => locale)).toEqual(['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES'])
    expect(value[0].body).toContain('Sample')
    const [first, ...rest] = value
    await answer(run, 'review', {
      value: [{ ...first, body: 'A duvet that keeps the night at one temperature.' }, ...rest],
    })
    await exported(run, { node_id: 'ads', port: 'image' })
    expect(await sizesOf(task.id, 'copy')).toEqual(Array.from({ length: 5 }, () => '1080x1350'))
  },
  patience,
)

test(
  'localisation: the picture of an approved creative carries the lines of each language, in two sizes',
  async () => {
    const { task, run } = await runTemplate('Localise an approved creative')
    await answer(run, 'review', { value: run.pending_input.request.value })
    await exported(run, { node_id: 'ads', port: 'images' })
    const both = ['1080x1350', '1080x1920']
    expect(await sizesOf(task.id, 'localisation')).toEqual([...both, ...both, ...both])
  },
  patience,
)
