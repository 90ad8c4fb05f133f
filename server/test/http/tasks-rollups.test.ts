// Facts about the derived numbers of a task: points, derived tasks, returns, counts of creatives and comments.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers, nobody } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const read = (task: Body): Promise<Body> => make.read(`/api/v1/tasks/${task.id}`)
const card = async (task: Body, feed = 'board'): Promise<Body> => {
  const page = await make.read(`/api/v1/tasks/${feed}?search=${task.number}`)
  return page.tasks.find(({ id }: Body) => id === task.id)
}

test('points are complexity times count, and at least once', async () => {
  for (const [creation_complexity, execution_complexity, count, creation_points, execution_points] of [
    [3, 5, 4, 12, 20],
    [3, 5, 1, 3, 5],
    [3, 5, 0, 3, 5],
    [3, 5, null, 3, 5],
    [0, 5, 2, 0, 10],
    [null, 5, 2, null, 10],
    [3, null, 2, 6, null],
    [null, null, null, null, null],
  ]) {
    const task = await make.task({ creation_complexity, execution_complexity, count })
    expect(task.rollups).toMatchObject({ creation_points, execution_points })
    expect(await card(task)).toMatchObject({ creation_points, execution_points })
  }
})

test('points follow every change of what they are made of', async () => {
  const task = await make.task({ creation_complexity: 2, execution_complexity: 1 })
  expect((await make.patched(task.id, { count: 3 })).rollups).toMatchObject({ creation_points: 6, execution_points: 3 })
  expect((await make.patched(task.id, { creation_complexity: 5 })).rollups.creation_points).toBe(15)
  expect((await make.patched(task.id, { execution_complexity: null })).rollups.execution_points).toBeNull()
})

test('derived tasks are the live tasks whose lineage names a creative of this one, each once', async () => {
  const { task, creatives } = await make.taskWith(['Origin A', 'Origin B'])
  const [a, b] = creatives
  const derived = async () => (await read(task)).rollups.derived_task_count
  expect(await derived()).toBe(0)
  const first = await make.task({ origin_creative_id: a.id })
  expect(await derived()).toBe(1)
  const second = await make.task({ source_creative_ids: [a.id, b.id], origin_creative_id: b.id })
  expect(await derived()).toBe(2)
  await make.task()
  expect(await derived()).toBe(2)
  await make.deleted(`/api/v1/tasks/${second.id}`)
  expect(await derived()).toBe(1)
  await make.restored(`/api/v1/tasks/${second.id}`)
  expect(await derived()).toBe(2)
  await make.patched(first.id, { origin_creative_id: null })
  expect(await derived()).toBe(1)
})

test('a task is not derived from itself', async () => {
  const { task, creatives } = await make.taskWith(['Own creative'])
  const own = await make.patched(task.id, { source_creative_ids: [creatives[0].id] })
  expect(own.rollups.derived_task_count).toBe(0)
})

test('lineage to a creative that was deleted still counts', async () => {
  const { task, creatives } = await make.taskWith(['Deleted origin'])
  await make.task({ origin_creative_id: creatives[0].id })
  await make.deleted(`/api/v1/creatives/${creatives[0].id}`)
  expect((await read(task)).rollups.derived_task_count).toBe(1)
})

test('creatives_total counts the live ones, creatives_done those with a file or marked completed', async () => {
  const task = await make.task({ variants: [{ key: 'a', variation_num: 1, completed: true }] })
  const counts = async () => {
    const { creatives_total, creatives_done } = await card(task)
    return [creatives_total, creatives_done]
  }
  expect(await counts()).toEqual([0, 0])
  const plain = await make.creative(task.id, { variation_num: null })
  expect(await counts()).toEqual([1, 0])
  await make.creative(task.id, { variation_num: null, file: await make.file() })
  expect(await counts()).toEqual([2, 1])
  await make.creative(task.id, { variation_num: 1 })
  expect(await counts()).toEqual([3, 2])
  await service.patch(`/api/v1/creatives/${plain.id}`, { completed: true })
  expect(await counts()).toEqual([3, 3])
  await make.deleted(`/api/v1/creatives/${plain.id}`)
  expect(await counts()).toEqual([2, 2])
  await make.patched(task.id, { variants: [{ key: 'a', variation_num: 1 }] })
  expect(await counts()).toEqual([2, 1])
  await make.restored(`/api/v1/creatives/${plain.id}`)
  expect(await counts()).toEqual([3, 2])
})

test('a deleted task has no live creatives; restored, it has those it had', async () => {
  const task = await make.task()
  await make.creative(task.id, { completed: true })
  await make.creative(task.id)
  await make.deleted(`/api/v1/tasks/${task.id}`)
  expect(await card(task, 'deleted')).toMatchObject({ creatives_total: 0, creatives_done: 0 })
  await make.restored(`/api/v1/tasks/${task.id}`)
  expect(await card(task)).toMatchObject({ creatives_total: 2, creatives_done: 1 })
})

test('a creative moved to another variant is counted by that one', async () => {
  const task = await make.task({
    variants: [
      { key: 'a', variation_num: 1, completed: true },
      { key: 'b', variation_num: 2 },
    ],
  })
  const creative = await make.creative(task.id, { variation_num: 2 })
  expect((await card(task)).creatives_done).toBe(0)
  expect((await service.patch(`/api/v1/creatives/${creative.id}`, { variation_num: 1 })).data.done).toBe(true)
  expect((await card(task)).creatives_done).toBe(1)
})

test('comment_count counts the comments there are', async () => {
  const task = await make.task()
  const comments = [await make.comment(task.id), await make.comment(task.id)]
  expect((await read(task)).comment_count).toBe(2)
  expect((await card(task)).comment_count).toBe(2)
  await make.deleted(`/api/v1/comments/${comments[0].id}`)
  expect((await read(task)).comment_count).toBe(1)
})

test('counts are exact after many writers at once', async () => {
  const task = await make.task()
  await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const creative = await make.creative(task.id, { completed: at % 2 === 0 })
      await make.comment(task.id)
      if (at < 2) await make.deleted(`/api/v1/creatives/${creative.id}`)
    }),
  )
  expect(await card(task)).toMatchObject({ creatives_total: 6, creatives_done: 3, comment_count: 8 })
})

test('a creative nobody made has no lineage', async () => {
  expect((await service.post('/api/v1/tasks', { name: 'x', origin_creative_id: nobody })).status).toBe(422)
})
