// Facts about lookups while tasks are deleted, restored or changed: a task is found by all of its handles, or by none.
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { doors, freshAdId } from '../support/launch.ts'
import { makers } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())
afterEach(() => void vi.restoreAllMocks())

let serial = 0

/** Creates a task with two creatives that was launched as a pack. The first name needs escapes in JSON. */
async function pack(): Promise<{ task: Body; names: string[]; adId: string }> {
  const names = [`Half "there",\\ ${++serial}`, `Half there ${++serial}`]
  const { task } = await makers(service).taskWith(names)
  const adId = freshAdId()
  await doors(service).packs({ task_id: task.id, ad_id: adId })
  return { task, names, adId }
}

/** Has `change` done between the two reads of creatives: the statement `first` reads before it, the other one after it. */
function between(first: 'lookup_creatives' | 'lookup_packs', change: () => Promise<unknown>): { reads: () => number } {
  const read = service.database.read.bind(service.database)
  const isRead = Promise.withResolvers<void>()
  const isChanged = Promise.withResolvers<void>()
  let reads = 0
  vi.spyOn(service.database, 'read').mockImplementation(async (statement, values) => {
    const isOne = statement.name === 'lookup_creatives' || statement.name === 'lookup_packs'
    if (isOne) reads++
    if (isOne && statement.name !== first) {
      await isRead.promise
      await change()
      isChanged.resolve()
      return read(statement, values)
    }
    const rows = await read(statement, values)
    if (statement.name === first) isRead.resolve()
    return rows
  })
  return { reads: () => reads }
}

const found = (rows: Body[]) => rows.map(({ creatives }) => creatives.length)

for (const first of ['lookup_creatives', 'lookup_packs'] as const) {
  test(`a task that is deleted after ${first} was read is found by none of its handles`, async () => {
    const { task, names, adId } = await pack()
    between(first, () => service.del(`/api/v1/tasks/${task.id}`))
    expect(found(await doors(service).lookup({ names, ad_ids: [adId] }))).toEqual([0, 0, 0])
  })

  test(`a task that is restored after ${first} was read is found by all of its handles`, async () => {
    const { task, names, adId } = await pack()
    await service.del(`/api/v1/tasks/${task.id}`)
    between(first, () => service.post(`/api/v1/tasks/${task.id}/restore`))
    expect(found(await doors(service).lookup({ names, ad_ids: [adId] }))).toEqual([1, 1, 2])
  })

  test(`a creative of a task that is changed after ${first} was read has one audience`, async () => {
    const { task, names, adId } = await pack()
    between(first, () => makers(service).patched(task.id, { audience: 'Nurses' }))
    const rows = await doors(service).lookup({ names, ad_ids: [adId] })
    expect(rows.flatMap(({ creatives }) => creatives.map(({ audience }: Body) => audience))).toEqual(
      Array(4).fill('Nurses'),
    )
  })
}

test('a creative with an ad_id of its own is found by it whenever its restored pack is found', async () => {
  const { task, names, adId } = await pack()
  const own = freshAdId()
  await doors(service).creatives({ name: names[0] ?? '', ad_id: own })
  await service.del(`/api/v1/tasks/${task.id}`)
  between('lookup_creatives', () => service.post(`/api/v1/tasks/${task.id}/restore`))
  expect(found(await doors(service).lookup({ ad_ids: [own, adId] }))).toEqual([1, 2])
})

test('what is the same both times, and handles of nothing, is read once', async () => {
  const [one, other] = [await pack(), await pack()]
  const { reads } = between('lookup_creatives', async () => undefined)
  const rows = await doors(service).lookup({
    names: [...one.names, 'Nothing has this name'],
    ad_ids: [one.adId, other.adId],
  })
  expect([found(rows), reads()]).toEqual([[1, 1, 0, 2, 2], 2])
})
