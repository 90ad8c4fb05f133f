// In charge of the facts of the demo where there is a key: the same graphs ask models, here a server that speaks their protocol.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { demoGraphs, seed } from '../support/demo.ts'
import { type Body, startService } from '../support/harness.ts'
import { json, startOutside } from '../support/outside.ts'

test('the demo’s graphs ask models where there are any, and end on the card all the same', {
  timeout: 240_000,
}, async () => {
  const picture = await sharp({ create: { width: 1024, height: 1536, channels: 3, background: '#24508c' } })
    .png()
    .toBuffer()
  const outside = await startOutside((response, seen) => {
    const asked = JSON.parse(seen.body)
    if (seen.path.endsWith('/images/generations')) {
      json({ data: [{ b64_json: picture.toString('base64') }] })(response, seen)
      return
    }
    const [{ content: locale }] = asked.messages.slice(-1)
    const line = { locale: locale.slice(0, 40), headline: 'Kühl bis zum Morgen', action: 'Testen' }
    const content = asked.response_format ? JSON.stringify(line) : 'Cool until the morning'
    json({ choices: [{ message: { content }, finish_reason: 'stop' }], usage: { total_tokens: 90 } })(response, seen)
  })
  const service = await startService({ OPENAI_BASE_URL: `${outside.url}/v1`, OPENAI_API_KEY: 'sk-demo' })
  const demo = demoGraphs(service)
  await seed(service)
  service.app.automations.start()
  await service.app.worker.start()

  const { task, run } = await demo.waiting()
  expect(run.nodes.headline.checkpoint.request.value).toBe('Cool until the morning')
  expect(run.nodes.pick.checkpoint.request.options).toHaveLength(4)
  await demo.answer(run, 'headline', { value: 'Cool until the morning' })
  await demo.answer(run, 'pick', { selected: [0] })
  expect((await demo.ended(task.id)).automation).toMatchObject({ state: 'succeeded' })
  expect(await demo.sizesOf(task.id, 'models-statics')).toHaveLength(5)

  const copy = await demo.runTemplate('Copy variants from a table')
  const rows = copy.run.pending_input.request.value
  expect(rows.map(({ body }: Body) => body)).toEqual(Array.from({ length: 5 }, () => 'Cool until the morning'))
  await demo.answer(copy.run, 'review', { value: rows })
  await demo.exported(copy.run, { node_id: 'ads', port: 'image' })
  expect(await demo.sizesOf(copy.task.id, 'models-copy')).toHaveLength(5)

  const local = await demo.runTemplate('Localise an approved creative')
  await demo.answer(local.run, 'review', { value: local.run.pending_input.request.value })
  await demo.exported(local.run, { node_id: 'ads', port: 'images' })
  expect(await demo.sizesOf(local.task.id, 'models-localisation')).toHaveLength(6)

  const asked = outside.seen.map(({ path }) => path.split('/').at(-1))
  expect(asked.filter((path) => path === 'generations')).toHaveLength(4)
  expect(asked.filter((path) => path === 'completions')).toHaveLength(1 + 5 + 3)
  await service.close()
})
