// Facts about the review of a task with very many creatives, and of a version with very many decisions.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { makers } from '../support/make.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

const decide = (creative: Body, decision: string, token?: string) =>
  service.post(
    `/api/v1/creatives/${creative.id}/decisions`,
    { file: creative.file, decision },
    token === undefined ? {} : { token },
  )

/** Adds decisions of nobody in particular about the first version of creatives, as guests make them. */
const accept = async (creativeIds: readonly string[], each = 1): Promise<void> => {
  await service.rows(
    `insert into creative_versions (creative_id, number, file) select id, 1, file from creatives where id = any($1::uuid[])
     on conflict do nothing`,
    [creativeIds],
  )
  await service.rows(
    `insert into review_decisions (id, creative_id, version, file, decision)
     select gen_random_uuid(), id, 1, file, 'accepted' from creatives, generate_series(1, $2::integer)
     where id = any($1::uuid[])`,
    [creativeIds, each],
  )
}

test('a task with more creatives than its state counts moves on only once the last of them is accepted, too', async () => {
  const task = await make.task({ status: 'tech_check' })
  const file = await make.file('one for all', 'image/png')
  const creatives = await service.rows<{ id: string; file: string }>(
    `insert into creatives (id, task_id, name, file, rolled_up_at)
     select gen_random_uuid(), $1::uuid, $1::text || ' ' || lpad(i::text, 4, '0'), $2, now_ms()
     from generate_series(1, 1002) as i returning id, file`,
    [task.id, file],
  )
  const [first, ...rest] = creatives
  const last = rest.pop()
  if (!first || !last) throw new Error('There are no creatives.')
  await accept(rest.map(({ id }) => id))
  await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { moves_to: 'creative_check' })
  const status = async () => (await make.read(`/api/v1/tasks/${task.id}`)).status
  expect((await decide(first, 'accepted')).status).toBe(200)
  expect(await status()).toBe('tech_check')
  expect((await decide(last, 'changes_wanted')).status).toBe(200)
  expect(await status()).toBe('tech_check')
  expect((await service.post('/api/v1/tasks/reviews', { task_ids: [task.id] })).data).toMatchObject([
    { creatives: 500, accepted: 500 },
  ])
  expect((await decide(last, 'accepted')).status).toBe(200)
  expect(await status()).toBe('creative_check')
})

test('of more decisions than are shown, the reviewers’ and those that want changes are shown, and all count', async () => {
  const task = await make.task()
  const creative = await make.creative(task.id, { file: await make.file('decided often', 'image/png') })
  const [named, other] = [await service.person('writer'), await service.person('writer')]
  await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [named.id] })
  await accept([creative.id], 200)
  const review = async (): Promise<Body> => (await make.read(`/api/v1/tasks/${task.id}/review`)).items[0]
  expect(await review()).toMatchObject({ state: 'awaited', awaited: [named.id] })

  expect((await decide(creative, 'accepted', named.token)).data).toMatchObject({ state: 'accepted', awaited: [] })
  expect((await decide(creative, 'changes_wanted', other.token)).data).toMatchObject({ state: 'changes_wanted' })
  const { state, decisions } = await review()
  expect([state, decisions.length]).toEqual(['changes_wanted', 200])
  const shown = decisions.slice(-3).map(({ decision, by }: Body) => [decision, by.user_id])
  expect(shown).toEqual([
    ['accepted', null],
    ['accepted', named.id],
    ['changes_wanted', other.id],
  ])
  expect(decisions.map(({ at }: Body) => at)).toEqual(decisions.map(({ at }: Body) => at).toSorted())
})
