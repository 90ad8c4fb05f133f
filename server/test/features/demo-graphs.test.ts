// Facts about the demo's graphs: each runs over the API from its start to creatives on a task, and sends nothing to
// a provider, although a provider key is set.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { demoGraphs, seed } from '../support/demo.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { json, type Outside, serveOutside } from '../support/outside.ts'
import { makeRun, runThrough, untilStatus } from '../support/runs.ts'

/** Milliseconds that a busy machine may need to seed the demo and to draw its pictures. */
const patience = 180_000

let provider: Outside & { close(): Promise<void> }
let before: Service
let service: Service
let demo: ReturnType<typeof demoGraphs>
beforeAll(async () => {
  provider = await serveOutside(json({ choices: [{ message: { content: 'Cold.' }, finish_reason: 'stop' }] }))
  before = await startService({
    ...{ OPENAI_BASE_URL: `${provider.url}/v1`, ATELIER_IMAGE_MODEL: 'painter', ATELIER_CHAT_MODEL: 'talker' },
    ATELIER_SECRETS_KEY: '5'.repeat(64),
  })
  // An admin enters the key in the app. The second process starts afterwards and reads the key from the database.
  await before.post('/api/v1/providers/openai/key', { key: 'sk-given-in-the-app' })
  service = await before.another()
  demo = demoGraphs(service)
  await seed(service)
  service.app.automations.start()
  await service.app.worker.start()
}, patience)
afterAll(async () => {
  await service?.close()
  await before?.close()
  await provider?.close()
})

test(
  'statics: the task of the automation waits for a picture; one is re-rolled, one picked, and five sizes are on the card',
  async () => {
    const { task, run } = await demo.waiting()
    expect(task.status).toBe('ready_for_production')
    expect(run.nodes.pick.checkpoint.request.options).toHaveLength(4)
    expect(run.nodes.headline.checkpoint.request.value).toBe('Stop flipping the pillow')
    await service.post(`/api/v1/runs/${run.id}/start`, { regenerate: [{ node_id: 'pictures', item: 2 }] })
    const after = await untilStatus(service, run.id, 'awaiting_input')
    const options = (of: Body): string[] => of.nodes.pick.checkpoint.request.options.map(({ digest }: Body) => digest)
    expect(options(after).map((digest, at) => digest === options(run)[at])).toEqual([true, true, false, true])
    await demo.answer(after, 'headline', { value: 'Stop flipping the pillow' })
    await demo.answer(after, 'pick', { selected: [2] })
    const done = await demo.ended(task.id)
    expect(done).toMatchObject({ status: 'tech_check', automation: { state: 'succeeded', error: null } })
    const sizes = ['1080x1350', '1080x1920', '1200x628', '300x250', '728x90']
    expect(await demo.sizesOf(task.id, 'statics')).toEqual(sizes)
  },
  patience,
)

test(
  'copy from a table: each locale has its hook, a sentence that somebody looked over, and a picture on the card',
  async () => {
    const { task, run } = await demo.runTemplate('Copy variants from a table')
    const { value } = run.pending_input.request
    expect(value.map(({ locale }: Body) => locale)).toEqual(['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES'])
    expect(value[0].body).toContain('Sample')
    const [first, ...rest] = value
    const body = 'A duvet that keeps the night at one temperature.'
    await demo.answer(run, 'review', { value: [{ ...first, body }, ...rest] })
    await demo.exported(run, { node_id: 'ads', port: 'image' })
    expect(await demo.sizesOf(task.id, 'copy')).toEqual(Array.from({ length: 5 }, () => '1080x1350'))
  },
  patience,
)

test(
  'localisation: the picture of an approved creative carries the lines of each language, in two sizes',
  async () => {
    const { task, run } = await demo.runTemplate('Localise an approved creative')
    await demo.answer(run, 'review', { value: run.pending_input.request.value })
    await demo.exported(run, { node_id: 'ads', port: 'images' })
    const both = ['1080x1350', '1080x1920']
    expect(await demo.sizesOf(task.id, 'localisation')).toEqual([...both, ...both, ...both])
  },
  patience,
)

test('with a key that an admin gave in the app, none of that was sent to its provider; what a person starts is', async () => {
  expect(provider.seen).toEqual([])
  const { items } = (await service.get('/api/v1/providers')).data
  expect(items.find(({ name }: Body) => name === 'openai')).toMatchObject({ source: 'app' })
  const { id } = await makeRun(service, definitionOf({ ask: { type: 'llm.chat', params: { prompt: 'A line.' } } }))
  expect(await runThrough(service, id)).toMatchObject({ status: 'succeeded' })
  expect(provider.seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-given-in-the-app'])
})
