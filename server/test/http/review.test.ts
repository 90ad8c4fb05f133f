// Facts about review: versions of files, comments and decisions about them, and who may accept a version.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'

let service: Service
let make: ReturnType<typeof makers>
beforeAll(async () => {
  service = await startService()
  make = makers(service)
})
afterAll(() => service.close())

let serial = 0
const file = () => make.file(`picture ${serial++}`, 'image/png')
const replace = (creative: Body, digest: string | null) =>
  service.patch(`/api/v1/creatives/${creative.id}`, { file: digest })
const versionsOf = async (creative: Body): Promise<Body[]> =>
  (await make.read(`/api/v1/creatives/${creative.id}/versions`)).items
const comment = (creative: Body, body: object, token?: string) =>
  service.post(`/api/v1/creatives/${creative.id}/review-comments`, body, token ? { token } : {})
const commentsOf = async (creative: Body): Promise<Body[]> =>
  (await make.read(`/api/v1/creatives/${creative.id}/review-comments?limit=100`)).items
const decide = (creative: Body, digest: string, decision = 'accepted', token?: string) =>
  service.post(`/api/v1/creatives/${creative.id}/decisions`, { file: digest, decision }, token ? { token } : {})
const reviewOf = async (task: Body): Promise<Body> => (await make.read(`/api/v1/tasks/${task.id}/review`)).items[0]

/** A creative that has had this many files, one after the other. */
async function card(files = 1, members: object = {}) {
  const task = await make.task({ ...members })
  const digests = await Promise.all(Array.from({ length: files }, file))
  const creative = await make.creative(task.id, { file: digests[0] })
  for (const digest of digests.slice(1)) await replace(creative, digest)
  return { task, creative, digests }
}

describe('versions', () => {
  test('a file that is replaced stays, with who put it there', async () => {
    const { creative, digests } = await card(3)
    const versions = await versionsOf(creative)
    expect(versions.map(({ number, file: digest, current }) => [number, digest, current])).toEqual([
      [3, digests[2], true],
      [2, digests[1], false],
      [1, digests[0], false],
    ])
    for (const { by } of versions) expect(by).toMatchObject({ user_id: service.owner.id })
  })

  test('the first file of a creative that was made without one has who put it there', async () => {
    const task = await make.task()
    const creative = await make.creative(task.id)
    await replace(creative, await file())
    expect(await versionsOf(creative)).toMatchObject([{ number: 1, by: { user_id: service.owner.id } }])
  })

  test('they come a page at a time', async () => {
    const { creative } = await card(3)
    const first = await make.read(`/api/v1/creatives/${creative.id}/versions?limit=2`)
    const { next_cursor } = first.meta
    const rest = await make.read(`/api/v1/creatives/${creative.id}/versions?limit=2&cursor=${next_cursor}`)
    expect([...first.items, ...rest.items].map(({ number }) => number)).toEqual([3, 2, 1])
    expect(rest.meta.next_cursor).toBeNull()
  })

  test('an earlier one is made current under its own number', async () => {
    const { creative, digests } = await card(2)
    const { status, data } = await service.post(`/api/v1/creatives/${creative.id}/versions/current`, { number: 1 })
    expect([status, data.file]).toEqual([200, digests[0]])
    expect((await versionsOf(creative)).map(({ number, current }) => [number, current])).toEqual([
      [2, false],
      [1, true],
    ])
    const none = await service.post(`/api/v1/creatives/${creative.id}/versions/current`, { number: 3 })
    expect(faults(none)).toEqual(['value_error body.number'])
  })

  test('a creative from before there were versions has its file as the first', async () => {
    const { creative, digests } = await card()
    await service.rows('delete from creative_versions where creative_id = $1', [creative.id])
    expect(await versionsOf(creative)).toMatchObject([{ number: 1, file: digests[0], current: true, by: null }])
    const next = await file()
    // Writes as an older version of the product does, which has no file versions.
    await service.rows('update creatives set file = $2 where id = $1', [creative.id, next])
    expect(await versionsOf(creative)).toMatchObject([
      { number: 2, file: next, current: true, by: null },
      { number: 1, file: digests[0], at: creative.created_at },
    ])
  })

  test('files of versions are kept as long as the creative, and go with it', async () => {
    const { task, creative, digests } = await card(2)
    const { files } = service.app.services
    const isKept = async () => (await files.find(digests[0] ?? '')) !== undefined
    await files.purge({ graceSeconds: 0 })
    expect(await isKept()).toBe(true)
    await make.deleted(`/api/v1/tasks/${task.id}`)
    await make.restored(`/api/v1/tasks/${task.id}`)
    expect((await versionsOf(creative)).map(({ file: digest }) => digest)).toEqual(digests.toReversed())
    await make.deleted(`/api/v1/tasks/${task.id}`)
    await purgeAtOnce(service)
    await files.purge({ graceSeconds: 0 })
    expect(await isKept()).toBe(false)
    expect(await service.rows(`select 1 from file_uses where user_key = $1`, [creative.id])).toEqual([])
    expect(await service.rows(`select 1 from creative_versions where creative_id = $1`, [creative.id])).toEqual([])
  })
})

test('records of the contract, feeds and the lookup say nothing of a review', async () => {
  const { task, creative, digests } = await card(2, { status: 'tech_check' })
  const names = { names: [creative.name] }
  const records = async () => {
    const read = [
      service.get(`/api/v1/tasks/${task.id}?included=true`),
      service.get(`/api/v1/tasks/board?status=tech_check`),
      service.get(`/api/v1/tasks/${task.id}/creatives`),
      service.get(`/api/v1/creatives/${creative.id}`),
      service.post('/api/v1/integrations/creative-tests/creatives/lookup', names),
    ]
    return (await Promise.all(read)).map(({ status, text, headers }) => ({ status, text, etag: headers.etag }))
  }
  const before = await records()
  expect(before.map(({ status }) => status)).toEqual(before.map(() => 200))
  const said = await comment(creative, { text: 'Warmer', mentions: [service.owner.id] })
  await comment(creative, { text: 'Yes', thread_id: said.data.id })
  await decide(creative, digests[1] ?? '', 'changes_wanted')
  await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [service.owner.id] })
  const link = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client', may_decide: true })
  const entered = await service.post('/api/v1/guest/enter', { link: link.data.url.split('#')[1], name: 'Grace' })
  const guest = { token: entered.data.token }
  const accepted = { file: digests[1], decision: 'accepted' }
  const decided = await service.post(`/api/v1/guest/creatives/${creative.id}/decisions`, accepted, guest)
  expect(decided.status, decided.text).toBe(200)
  expect(await records()).toEqual(before)
})

describe('comments', () => {
  const pin = { kind: 'pin', lines: [[[0.25, 0.5]]] }

  test('say what they are about, and are not counted among those of the task', async () => {
    const { task, creative } = await card()
    const { data } = await comment(creative, {
      text: 'Warmer',
      mark: pin,
      mentions: [service.owner.id],
      from_seconds: 1,
    })
    expect(data).toMatchObject({
      ...{ version: 1, text: 'Warmer', mark: pin, thread_id: null, resolved: null, visibility: 'internal' },
      ...{ mentions: [service.owner.id], from_seconds: 1, to_seconds: null, by: { user_id: service.owner.id } },
    })
    const answer = await comment(creative, { text: 'How much?', thread_id: data.id })
    expect(answer.data).toMatchObject({ thread_id: data.id, version: 1 })
    expect((await commentsOf(creative)).map(({ text }) => text)).toEqual(['Warmer', 'How much?'])
    expect((await make.read(`/api/v1/tasks/${task.id}`)).comment_count).toBe(0)
  })

  test('an open one is carried forward, and is addressed in the version that is current when it is resolved', async () => {
    const { creative } = await card()
    const { data } = await comment(creative, { text: 'Warmer' })
    await replace(creative, await file())
    await replace(creative, await file())
    const resolved = await service.patch(`/api/v1/review-comments/${data.id}`, { resolved: true })
    expect(resolved.data).toMatchObject({ version: 1, resolved: { version: 3, by: service.owner.id } })
    const opened = await service.patch(`/api/v1/review-comments/${data.id}`, { resolved: false })
    expect(opened.data.resolved).toBeNull()
  })

  test.for([
    [{ text: ' ' }, 'body.text'],
    [{ text: 'x', mark: { kind: 'pin', lines: [[[2, 0]]] } }, 'body.mark'],
    [{ text: 'x', mark: { kind: 'box', lines: [[[0, 0]]] } }, 'body.mark'],
    [{ text: 'x', version: 9 }, 'body.version'],
    [{ text: 'x', thread_id: '00000000-0000-7000-8000-000000000000' }, 'body.thread_id'],
    [{ text: 'x', mentions: ['nobody'] }, 'body.mentions'],
    [{ text: 'x', from_seconds: 3, to_seconds: 2 }, 'body.to_seconds'],
  ] as const)('%j is refused', async ([body, loc]) => {
    const { creative } = await card()
    expect(faults(await comment(creative, body))[0]).toContain(` ${loc}`)
  })

  test('words are their author’s; anybody who writes resolves, an admin deletes', async () => {
    const { creative } = await card()
    const writer = await service.person('writer')
    const other = await service.person('writer')
    const { data } = await comment(creative, { text: 'Warmer' }, writer.token)
    const path = `/api/v1/review-comments/${data.id}`
    expect(refusal(await service.patch(path, { text: 'Colder' }, { token: other.token }))).toEqual([403, 'not_owner'])
    expect((await service.patch(path, { resolved: true }, { token: other.token })).status).toBe(200)
    expect((await service.ask('DELETE', path, { token: other.token })).body.code).toBe('not_owner')
    await comment(creative, { text: 'An answer', thread_id: data.id })
    expect((await service.del(path)).status).toBe(200)
    expect(await commentsOf(creative)).toEqual([])
  })
})

describe('decisions', () => {
  test('hold for a version, and end with it', async () => {
    const { task, creative, digests } = await card()
    const first = await decide(creative, digests[0] ?? '')
    expect(first.data).toMatchObject({ state: 'accepted', version: 1, decisions: [{ decision: 'accepted' }] })
    const next = await file()
    await replace(creative, next)
    expect(await reviewOf(task)).toMatchObject({ state: 'open', version: 2, decisions: [] })
    const stale = await decide(creative, digests[0] ?? '')
    expect([stale.status, stale.body.code]).toEqual([409, 'version_not_current'])
    // When the first file is current again, it needs a new decision.
    await service.post(`/api/v1/creatives/${creative.id}/versions/current`, { number: 1 })
    expect(await reviewOf(task)).toMatchObject({ state: 'open', version: 1 })
    const { items } = await make.read(`/api/v1/creatives/${creative.id}/decisions`)
    expect(items).toMatchObject([{ version: 1, file: digests[0], void_at: expect.any(String) }])
  })

  test('the last one of a person counts, all of them stay', async () => {
    const { task, creative, digests } = await card()
    await decide(creative, digests[0] ?? '', 'changes_wanted')
    expect((await reviewOf(task)).state).toBe('changes_wanted')
    await decide(creative, digests[0] ?? '')
    expect(await reviewOf(task)).toMatchObject({ state: 'accepted', decisions: [{ decision: 'accepted' }] })
    const { items } = await make.read(`/api/v1/creatives/${creative.id}/decisions`)
    expect(items.map(({ decision }: Body) => decision)).toEqual(['accepted', 'changes_wanted'])
  })

  test('all of those named are waited for, and then the task moves on', async () => {
    const { task, creative, digests } = await card(1, { status: 'tech_check' })
    const [ada, bob] = [await service.person('writer'), await service.person('writer')]
    const named = { needs: 'all', reviewers: [ada.id, bob.id], moves_to: 'creative_check' }
    const { data } = await service.patch(`/api/v1/tasks/${task.id}/reviewers`, named)
    expect(data).toEqual({ task_id: task.id, ...named })
    const state = async () => (await service.post('/api/v1/tasks/reviews', { task_ids: [task.id] })).data
    await decide(creative, digests[0] ?? '', 'accepted', ada.token)
    expect(await state()).toEqual([
      { task_id: task.id, creatives: 1, accepted: 0, changes_wanted: 0, awaited: [bob.id] },
    ])
    expect((await make.read(`/api/v1/tasks/${task.id}`)).status).toBe('tech_check')
    await decide(creative, digests[0] ?? '', 'accepted', bob.token)
    expect(await state()).toMatchObject([{ accepted: 1, awaited: [] }])
    expect((await make.read(`/api/v1/tasks/${task.id}`)).status).toBe('creative_check')
  })

  test('only who may decide is named; who was named before may stay', async () => {
    const { task } = await card()
    const [ada, reader, gone] = [
      await service.person('writer'),
      await service.person('reader'),
      await service.person('writer'),
    ]
    await service.patch(`/api/v1/users/${gone.id}`, { active: false })
    const name = (...people: Body[]) =>
      service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: people.map(({ id }) => id) })
    const refused = await name(ada, reader, gone)
    expect(refused.status).toBe(422)
    expect(refused.body.detail.map(({ loc }: Body) => loc)).toEqual([
      ['body', 'reviewers', 1],
      ['body', 'reviewers', 2],
    ])
    expect((await name(ada)).status).toBe(200)
    await service.patch(`/api/v1/users/${ada.id}`, { role: 'reader' })
    expect((await name(ada, service.owner)).data.reviewers).toEqual([ada.id, service.owner.id])
  })

  test('nothing is said or decided of what is deleted, and a restore brings all of it back', async () => {
    const { task, creative, digests } = await card()
    await comment(creative, { text: 'Warmer' })
    await decide(creative, digests[0] ?? '')
    const before = await reviewOf(task)
    await make.deleted(`/api/v1/tasks/${task.id}`)
    expect((await comment(creative, { text: 'x' })).body.code).toBe('task_deleted')
    expect((await decide(creative, digests[0] ?? '')).body.code).toBe('task_deleted')
    await make.restored(`/api/v1/tasks/${task.id}`)
    expect(await reviewOf(task)).toEqual(before)
    await make.deleted(`/api/v1/creatives/${creative.id}`)
    expect((await decide(creative, digests[0] ?? '')).body.code).toBe('creative_deleted')
    await make.restored(`/api/v1/creatives/${creative.id}`)
    expect(await reviewOf(task)).toEqual(before)
  })
})
