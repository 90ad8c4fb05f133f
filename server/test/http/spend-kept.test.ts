// Facts about spending by creative and by product: it stays when the run, the comment, the creative and the task are gone for good.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { purgeRuns } from '../../src/engine/store/purge.ts'
import { definitionOf } from '../support/definitions.ts'
import { eventually } from '../support/eventually.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'
import { makeRun, runThrough } from '../support/runs.ts'
import { createProvider, testNodes } from '../support/test-nodes.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService({}, undefined, testNodes(createProvider()))
  make = makers(service)
  await service.app.worker.start()
  service.app.takes.start()
})
afterAll(() => service.close())

const drawing = (prompt: string) => definitionOf({ image: { type: 'test.priced_picture', inputs: { prompt } } })
/** What is known to have been paid, by key, or by the word `none` for what stands under no key. */
const spentBy = async (group: 'creative' | 'product'): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await make.read(`/api/v1/spend?by=${group}`)).rows.map(({ key, amount }: Body) => [key ?? 'none', amount]),
  )
const posted = async (path: string, body: object = {}): Promise<Body> => {
  const { status, data, text } = await service.post(`/api/v1/${path}`, body)
  expect(status, text).toBe(200)
  return data
}

const on = ({ id }: Body) => ({ task_id: id, pinned_task_id: id })

/** A task of a product, and a picture of a run on it, for which 40,000 millionths were paid. */
async function exported(product: string, prompt: string): Promise<{ task: Body; run: Body; creative: Body }> {
  const task = await make.task({ product_id: (await make.product(product)).id })
  const run = await runThrough(service, (await makeRun(service, drawing(prompt), on(task))).id)
  await posted(`runs/${run.id}/export`, { outputs: [{ node_id: 'image' }] })
  const [creative] = (await make.read(`/api/v1/tasks/${task.id}/creatives`)).items
  return { task, run, creative }
}

/** A comment on the creative, with a new take that is proposed. */
async function retaken({ id }: Body): Promise<{ comment: Body; take: Body }> {
  const comment = await posted(`creatives/${id}/review-comments`, { text: 'Warmer' })
  await posted(`review-comments/${comment.id}/takes`)
  const take = await eventually(async () => {
    const { items } = await make.read(`/api/v1/creatives/${id}/review-comments`)
    if (items[0].take.state !== 'proposed') throw new Error(`The take is not proposed: ${JSON.stringify(items[0])}`)
    return items[0].take
  })
  return { comment, take }
}

async function purgeRunsAtOnce(ids: readonly string[]): Promise<void> {
  for (const id of ids) await make.deleted(`/api/v1/runs/${id}`)
  await service.rows(`update runs set deleted_at = '2020-01-01' where id = any($1::uuid[])`, [[...ids]])
  expect(await purgeRuns(service.database)).toBe(ids.length)
}

test('what a creative and its product have cost stays when its run, comment and task are purged', async () => {
  const { task, creative, run } = await exported('Night cream', 'jar')
  const { comment, take } = await retaken(creative)
  await posted(`review-takes/${take.id}/verdict`, { verdict: 'use' })
  const spent = { creative: await spentBy('creative'), product: await spentBy('product') }
  expect([spent.creative[creative.id], spent.product[task.product_id]]).toEqual([80_000, 80_000])
  const same = async (when: string) =>
    expect({ creative: await spentBy('creative'), product: await spentBy('product') }, when).toEqual(spent)
  await make.deleted(`/api/v1/review-comments/${comment.id}`)
  await same('after the comment was deleted')
  await purgeRunsAtOnce([run.id, take.run_id])
  await same('after its runs were purged')
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await purgeAtOnce(service)
  await same('after the task was purged with its creative')
})

test('a creative that is purged keeps its share, and those beside it get no more than theirs', async () => {
  const { task, creative, run } = await exported('Day cream', 'tube')
  const beside = await make.creative(task.id)
  await service.rows(
    `insert into exports (run_id, task_id, node_id, port, item, creative_id, at) values ($1, $2, 'image', 'a', '', $3, now())`,
    [run.id, task.id, beside.id],
  )
  await make.deleted(`/api/v1/creatives/${creative.id}`)
  await purgeAtOnce(service)
  expect(await spentBy('creative')).toMatchObject({ [creative.id]: 20_000, [beside.id]: 20_000 })
  const { rows } = await make.read('/api/v1/spend?by=creative')
  expect(rows.find(({ key }: Body) => key === creative.id)).toMatchObject({ name: null })
})

test('a take counts for its creative also if its run was purged before it was used', async () => {
  const { creative } = await exported('Eye cream', 'dropper')
  const { take } = await retaken(creative)
  await purgeRunsAtOnce([take.run_id])
  await posted(`review-takes/${take.id}/verdict`, { verdict: 'use' })
  expect((await spentBy('creative'))[creative.id]).toBe(80_000)
})

test('what a task has cost is of the product that it has, and of the last one after it was purged', async () => {
  const { task } = await exported('Hand cream', 'pump')
  const other = await make.product('Foot cream')
  await make.patched(task.id, { product_id: other.id })
  expect((await spentBy('product'))[other.id]).toBe(40_000)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  await purgeAtOnce(service)
  const { rows } = await make.read('/api/v1/spend?by=product')
  expect(rows.find(({ key }: Body) => key === other.id)).toMatchObject({ name: 'Foot cream', amount: 40_000 })
  expect(rows.find(({ key }: Body) => key === task.product_id)).toBeUndefined()
})
