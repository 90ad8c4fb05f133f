// Facts about items that made several files each: every file can be exported by itself, and a new take of one is of that one.
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, refusal } from '../support/make.ts'
import { makeRun, runThrough } from '../support/runs.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
  await service.app.worker.start()
  service.app.takes.start()
})
afterAll(() => service.close())

/** Two scenes, of each of which there is an ad in two sizes. */
const definition = definitionOf(
  {
    scenes: { type: 'list.collect', inputs: { values: ['tea', 'jam'] } },
    image: { type: 'sample.image', params: { width: 64, height: 64 }, each: ['prompt'] },
    ads: {
      type: 'layout.render',
      params: { placements: ['1080x1350', '300x250'] },
      inputs: { headline: 'Every morning' },
      each: ['image'],
    },
  },
  'scenes.list > image.prompt',
  'image.image > ads.image',
)

const output = { node_id: 'ads', port: 'images' }

async function made(): Promise<{ task: Body; run: Body; put(outputs: object[]): Promise<Body[]> }> {
  const task = await make.task()
  const run = await runThrough(service, (await makeRun(service, definition, { pinned_task_id: task.id })).id)
  expect(run.status, run.error).toBe('succeeded')
  const put = async (outputs: object[]): Promise<Body[]> => {
    const { status, text } = await service.post(`/api/v1/runs/${run.id}/export`, { outputs })
    expect(status, text).toBe(200)
    return (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  }
  return { task, run, put }
}

async function sizeOf(file: string): Promise<string> {
  const { bytes } = await service.get(`/api/v1/files/${file}`)
  const { width, height } = await sharp(bytes).metadata()
  return `${width}x${height}`
}

/** The creatives by the place of their files: item and index. */
async function byPlace(creatives: readonly Body[]): Promise<Map<string, Body>> {
  const places = creatives.map(async (creative) => {
    const { item, index } = await make.read(`/api/v1/creatives/${creative.id}/provenance`)
    return [`${item} ${index}`, creative] as const
  })
  return new Map(await Promise.all(places))
}

async function commentOn(creative: Body): Promise<Body> {
  return (await service.post(`/api/v1/creatives/${creative.id}/review-comments`, { text: 'Make this warmer' })).data
}
const start = (comment: Body) => service.post(`/api/v1/review-comments/${comment.id}/takes`)

/** Lets the creative be made anew because of a comment, uses the new version, and returns its size. */
async function takeOf(creative: Body): Promise<string> {
  const comment = await commentOn(creative)
  const started = await start(comment)
  expect(started.status, started.text).toBe(200)
  const { take } = await eventually(async () => {
    const { items } = await make.read(`/api/v1/creatives/${creative.id}/review-comments`)
    const found = items.find(({ id }: Body) => id === comment.id)
    if (found.take.state === 'under_way') throw new Error('The take is under way.')
    return found
  })
  expect(take).toMatchObject({ state: 'proposed', error: null })
  await service.post(`/api/v1/review-takes/${take.id}/verdict`, { verdict: 'use' })
  const { items } = await make.read(`/api/v1/creatives/${creative.id}/versions`)
  return sizeOf(items.find(({ number }: Body) => number === take.version).file)
}

/** Removes from a creative's provenance what version 0.2.0 did not write. */
const age = (creative: Body) =>
  service.rows(`update creatives set provenance = (provenance::jsonb - 'index')::json where id = $1`, [creative.id])

test('one file of an item is planned and exported by itself; without an index all of them are', async () => {
  const { run, put } = await made()
  const { data } = await service.post(`/api/v1/runs/${run.id}/export/plan`, { outputs: [{ ...output, item: 1 }] })
  expect(data.files.map(({ item, index }: Body) => [item, index])).toEqual([
    [1, 0],
    [1, 1],
  ])
  const [one, ...others] = await put([{ ...output, item: 1, index: 1 }])
  expect(others).toEqual([])
  expect(await sizeOf(one?.file)).toBe('300x250')
  const all = await byPlace(await put([output]))
  expect([...all.keys()].toSorted()).toEqual(['0 0', '0 1', '1 0', '1 1'])
  expect(all.get('1 1')?.id).toBe(one?.id)
  const wrong = await service.post(`/api/v1/runs/${run.id}/export`, { outputs: [{ ...output, item: 1, index: 2 }] })
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'outputs', 0, 'index']])
})

test('a new take of one file of an item is of this file, and so is a take of that take', async () => {
  const { put } = await made()
  const all = await byPlace(await put([output]))
  const [large, small] = [all.get('0 0') as Body, all.get('0 1') as Body]
  expect([await sizeOf(large.file), await sizeOf(small.file)]).toEqual(['1080x1350', '300x250'])
  expect(await takeOf(small)).toBe('300x250')
  expect(await takeOf(small)).toBe('300x250')
  expect(await takeOf(large)).toBe('1080x1350')
})

test('of a file that 0.2.0 exported, the export still says which file of its item it is', async () => {
  const { put } = await made()
  const small = (await byPlace(await put([output]))).get('1 1') as Body
  await age(small)
  expect((await make.read(`/api/v1/creatives/${small.id}/provenance`)).index).toBeNull()
  expect(await takeOf(small)).toBe('300x250')
})

test('where nothing says which file of its item it is, no take is started, and nothing is paid', async () => {
  const { run, put } = await made()
  const small = (await byPlace(await put([output]))).get('1 1') as Body
  await age(small)
  await service.rows('delete from exports where creative_id = $1', [small.id])
  const comment = await commentOn(small)
  const { why_not } = await make.read(`/api/v1/review-comments/${comment.id}/take-plan`)
  expect(why_not).toMatch(/one of several .* not noted which one/)
  expect(refusal(await start(comment))).toEqual([409, 'take_impossible'])
  expect(await service.rows('select id from runs where copied_from = $1', [run.id])).toEqual([])
})
