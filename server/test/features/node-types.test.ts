// Facts about node types in real runs: from a table to finished ads, with a single call to the provider.
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { json, startOutside } from '../support/outside.ts'
import { startProvider } from '../support/providers.ts'
import { makeRun, runThrough, statusesOf, untilStatus } from '../support/runs.ts'

async function started(environment: Record<string, string> = {}): Promise<Service> {
  const service = await startService(environment)
  await service.app.worker.start()
  return service
}

const table = 'product,price\nFlask,29\nCup,12\nTent,199\n'
const fromTableToAds = definitionOf(
  {
    csv: { type: 'csv.parse', inputs: { text: table } },
    cheap: { type: 'table.filter', params: { rules: [{ column: 'price', condition: 'less', value: 100 }] } },
    copy: { type: 'sample.chat', params: { prompt: 'A headline for {{ row.product }}' }, each: ['row'] },
    first: { type: 'text.split', params: { limit: 1 }, each: ['text'] },
    headlines: { type: 'json.expression', params: { expression: '$reduce(value, $append)' } },
    lines: { type: 'gate.choose', params: { min: 1, max: 2 } },
    ads: {
      type: 'layout.render',
      params: { placements: ['300x250', '320x50'], template: 'split' },
      each: ['headline'],
    },
    small: { type: 'image.convert', params: { budget_kb: 30 }, each: ['image'] },
  },
  'csv.rows > cheap.rows',
  'cheap.rows > copy.row',
  'copy.text > first.text',
  'first.parts > headlines.value',
  'headlines.value > lines.options',
  'lines.chosen > ads.headline',
  'ads.image > small.image',
)

test('a table becomes copy, somebody picks, and what is picked becomes ads of exactly the sizes asked for', async () => {
  const service = await started()
  try {
    const draft = await makeRun(service, fromTableToAds)
    const parked = await runThrough(service, draft.id)
    expect(statusesOf(parked)).toMatchObject({ copy: 'succeeded', lines: 'awaiting_input' })
    const { options } = parked.pending_input.request
    expect(options).toHaveLength(2)
    expect(options[0]).toMatch(/^Sample: .*Flask/)
    await service.post(`/api/v1/runs/${draft.id}/answers`, { node_id: 'lines', answer: { selected: [0, 1] } })
    const run = await untilStatus(service, draft.id, 'succeeded', 'failed')
    expect(statusesOf(run)).toMatchObject({ ads: 'succeeded', small: 'succeeded' })
    expect(run.credits_consumed).toBe(2)
    const sizes = await Promise.all(run.nodes.ads.outputs.images.flat().map((file: Body) => sizeOf(service, file)))
    expect(sizes).toEqual(['300x250', '320x50', '300x250', '320x50'])
    expect(run.nodes.small.outputs.image.every(({ size }: Body) => size <= 30_000)).toBe(true)
  } finally {
    await service.close()
  }
})

async function sizeOf(service: Service, { digest }: Body): Promise<string> {
  const { bytes } = await service.get(`/api/v1/files/${digest}`)
  const { width, height } = await sharp(bytes).metadata()
  return `${width}x${height}`
}

test('the provider of the settings is asked once for what two runs want, and again when it was busy', async () => {
  const provider = await startOutside(
    json({ error: { message: 'busy' } }, 429, { 'retry-after': '1' }),
    json({ choices: [{ message: { content: 'Ice cold.' } }], usage: { total_tokens: 900 } }),
  )
  const service = await started({ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-secret-of-the-operator' })
  try {
    const definition = definitionOf({ copy: { type: 'llm.chat', params: { prompt: 'A headline' } } })
    const first = await runThrough(service, (await makeRun(service, definition)).id)
    expect(first.nodes.copy).toMatchObject({ status: 'succeeded', outputs: { text: 'Ice cold.' }, credits_consumed: 1 })
    const second = await runThrough(service, (await makeRun(service, definition)).id)
    expect(second.nodes.copy).toMatchObject({ status: 'cached', credits_consumed: 0 })
    expect(provider.seen).toHaveLength(2)
    expect(new Set(provider.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1)
    expect(JSON.stringify([first, second, (await service.get('/api/v1/node-types')).data])).not.toContain('sk-secret')
  } finally {
    await service.close()
  }
})

test('a list of pictures led to the references of an edit, beside a single one, is sent picture by picture', async () => {
  const provider = await startProvider('openai')
  const service = await started({ OPENAI_BASE_URL: `${provider.url}/v1`, OPENAI_API_KEY: 'sk-never-seen' })
  try {
    const definition = definitionOf(
      {
        one: { type: 'sample.image', inputs: { prompt: 'a flask' } },
        styles: { type: 'sample.image', each: ['prompt'], inputs: { prompt: ['slate', 'linen'] } },
        edit: { type: 'image.edit', params: { prompt: 'As in the others' } },
      },
      'one.image > edit.image',
      'styles.image > edit.references',
      'one.image > edit.references',
    )
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(run.nodes.edit).toMatchObject({ status: 'succeeded', outputs: { image: { media_type: 'image/png' } } })
    expect(provider.paid().map(({ body }) => body.match(/name="image\[\]"/g)?.length)).toEqual([4])
  } finally {
    await service.close()
  }
})

test('without a provider its types are listed as not available, and a run with one is refused at its place', async () => {
  const service = await started()
  try {
    const { data } = await service.get('/api/v1/node-types')
    expect(data.items.find(({ type }: Body) => type === 'llm.chat')).toMatchObject({
      available: false,
      unavailable_reason: expect.stringMatching(/OPENAI_API_KEY/),
    })
    const draft = await makeRun(service, definitionOf({ copy: { type: 'llm.chat', params: { prompt: 'x' } } }))
    const refused = await service.post(`/api/v1/runs/${draft.id}/start`, {})
    expect(refused.status).toBe(422)
    expect(refused.text).toContain('node_type_unavailable')
  } finally {
    await service.close()
  }
})

test('an error that quotes what no database takes, or megabytes, is saved in short and ends the run', async () => {
  const service = await started()
  try {
    const definition = definitionOf({
      nul: { type: 'json.expression', params: { expression: '$error("a\\u0000b")' } },
      half: { type: 'json.expression', params: { expression: '$error($split("😀", "")[0])' } },
      long: { type: 'json.expression', params: { expression: '$error($pad("", 3000000, "x"))' } },
    })
    const run = await runThrough(service, (await makeRun(service, definition)).id)
    expect(run.status).toBe('failed')
    expect(run.nodes.nul.error).toBe('The expression does not work out: a\ufffdb (at character 7).')
    expect(run.nodes.half.error).toMatch(/^The expression does not work out: /)
    expect(run.nodes.long.error).toMatch(/^The expression does not work out: x+…/)
    expect(run.nodes.long.error.length).toBeLessThan(2100)
  } finally {
    await service.close()
  }
})

test('a message, such as which sizes were left out, is there again when the outputs come from the cache', async () => {
  const service = await started()
  try {
    const headline = 'Bottles that keep tea hot for a day and water cold for two. '.repeat(3)
    const ads = { type: 'layout.render', params: { placements: ['320x50', '300x250'] }, inputs: { headline } }
    const run = async () => runThrough(service, (await makeRun(service, definitionOf({ ads }))).id)
    const first = await run()
    expect(first.nodes.ads).toMatchObject({
      status: 'succeeded',
      message: expect.stringMatching(/^1 of 2 sizes were made/),
    })
    expect((await run()).nodes.ads).toMatchObject({ status: 'cached', message: first.nodes.ads.message })
  } finally {
    await service.close()
  }
})
