// Facts about guests: what a guest link gives access to, what it does not, and when it ends.

import type { Route } from '@atelier/contract/routes/route.ts'
import { routes } from '@atelier/contract/routes/routes.ts'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mostGuests } from '../../src/features/review/guest-store.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { faults, makers, refusal } from '../support/make.ts'
import { purgeAtOnce } from '../support/purging.ts'

let service: Service
let other: Service
let make: ReturnType<typeof makers>
const operatorToken = 'of-the-operator-'.repeat(4)
beforeAll(async () => {
  service = await startService({}, undefined, [], { operatorToken })
  other = await service.another()
  make = makers(service)
})
afterAll(async () => {
  await other.close()
  await service.close()
})

let serial = 0
const picture = async (): Promise<string> => {
  const image = sharp({ create: { width: 8, height: 8, channels: 3, background: { r: serial++, g: 80, b: 140 } } })
  return make.file(await image.png().toBuffer(), 'image/png')
}
/** A task with this many creatives, each with a file. */
async function shown(count = 1, members: object = {}) {
  const task = await make.task({ ...members })
  const creatives: Body[] = []
  for (let at = 0; at < count; at++) creatives.push(await make.creative(task.id, { file: await picture() }))
  return { task, creatives, creative: creatives[0] }
}
const linkTo = async (task: Body, body: object = {}): Promise<{ id: string; secret: string }> => {
  const made = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client', ...body })
  expect(made.status, made.text).toBe(200)
  return { id: made.data.id, secret: made.data.url.split('#')[1] }
}
const enter = (secret: string, password?: string, name = 'Grace') =>
  service.post(
    '/api/v1/guest/enter',
    { link: secret, name, ...(password === undefined ? {} : { password }) },
    { token: null },
  )
/** A guest who entered with a new link. */
async function guestOf(task: Body, body: object = {}) {
  const link = await linkTo(task, body)
  const { data } = await enter(link.secret)
  const token: string = data.token
  const at = (path: string, on: Service = service) => on.get(`/api/v1/guest/${path}`, { token })
  const post = (path: string, sent: object) => service.post(`/api/v1/guest/${path}`, sent, { token })
  return { link, token, at, post }
}

describe('a link', () => {
  test('shows the creatives that were chosen, or all of the task, also those to come', async () => {
    const { task, creatives } = await shown(2)
    const some = await guestOf(task, { creative_ids: [creatives[1].id] })
    const all = await guestOf(task)
    expect((await some.at('creatives')).data.items).toMatchObject([{ creative_id: creatives[1].id, version: 1 }])
    const later = await make.creative(task.id, { file: await picture() })
    const ids = (await all.at('creatives')).data.items.map(({ creative_id }: Body) => creative_id)
    expect(ids.toSorted()).toEqual([...creatives.map(({ id }) => id), later.id].toSorted())
  })

  test('goes on after the access of its maker has ended, says who that was, and is revoked by anybody who may write', async () => {
    const { task } = await shown()
    const maker = await service.person('writer')
    const path = `/api/v1/tasks/${task.id}/guest-links`
    const { data: made } = await service.post(path, { name: 'The client' }, maker)
    await service.patch(`/api/v1/users/${maker.id}`, { active: false })
    const { token } = (await enter(made.url.split('#')[1])).data
    const status = async () => (await service.get('/api/v1/guest/creatives', { token })).status
    expect(await status()).toBe(200)
    expect((await make.read(path)).items).toMatchObject([{ id: made.id, by: { user_id: maker.id } }])
    const writer = await service.person('writer')
    expect((await service.del(`/api/v1/guest-links/${made.id}`, writer)).status).toBe(200)
    expect(await status()).toBe(401)
  })

  test('names only live creatives of its task', async () => {
    const { task } = await shown()
    const { creative } = await shown()
    const made = await service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'x', creative_ids: [creative.id] })
    expect(faults(made)).toEqual(['value_error body.creative_ids'])
    expect((await make.read(`/api/v1/tasks/${task.id}/guest-links`)).items).toEqual([])
  })

  test('ends at once in every process: revoked, over, or its task deleted; a restore brings it back', async () => {
    const { task, creative } = await shown()
    /** A guest with a new link. `answers` sends each kind of request that a guest can make, also for pictures, to both services. */
    const asking = async () => {
      const { link, token, at } = await guestOf(task, { may_decide: true })
      const [{ url, thumbnail_url }] = (await at('creatives')).data.items
      const path = `/api/v1/guest/creatives/${creative.id}`
      const decision = { file: creative.file, decision: 'accepted' }
      const answers = async () => {
        const each = [service, other].flatMap((on) => [
          on.get('/api/v1/guest/creatives', { token }),
          on.get(`${path}/comments`, { token }),
          on.post(`${path}/comments`, { text: 'x' }, { token }),
          on.post(`${path}/decisions`, decision, { token }),
          on.get(url, { token: null }),
          on.get(url, { token: null, headers: { range: 'bytes=0-1' } }),
        ])
        each.push(service.get(thumbnail_url, { token: null }))
        return new Set((await Promise.all(each)).map(({ status, body }) => (status < 300 ? 'shown' : body?.code)))
      }
      return { link, answers }
    }
    const over = new Set(['invalid_guest_link', 'invalid_link'])
    const { link, answers } = await asking()
    expect(await answers()).toEqual(new Set(['shown']))
    await make.deleted(`/api/v1/tasks/${task.id}`)
    expect(await answers()).toEqual(over)
    await make.restored(`/api/v1/tasks/${task.id}`)
    expect(await answers()).toEqual(new Set(['shown']))
    await make.deleted(`/api/v1/guest-links/${link.id}`)
    expect(await answers()).toEqual(over)
    const past = await asking()
    await service.rows(`update guest_links set expires_at = now() - interval '1 second' where id = $1`, [past.link.id])
    expect(await past.answers()).toEqual(over)
  })

  test('that is over lets nobody in who says a name only now', async () => {
    const { task } = await shown()
    const [revoked, past] = [await linkTo(task), await linkTo(task)]
    await make.deleted(`/api/v1/guest-links/${revoked.id}`)
    await service.rows(`update guest_links set expires_at = now() where id = $1`, [past.id])
    for (const { secret } of [revoked, past]) expect(refusal(await enter(secret))).toEqual([401, 'invalid_guest_link'])
  })

  test('asks for its password, and takes none for a while after ten wrong ones', async () => {
    const { task } = await shown()
    const { secret } = await linkTo(task, { password: 'correct horse' })
    expect(refusal(await enter(secret))).toEqual([403, 'guest_password'])
    expect((await enter(secret, 'correct horse')).status).toBe(200)
    const wrong = await Promise.all(Array.from({ length: 10 }, () => enter(secret, 'wrong horse')))
    expect(wrong.map(refusal)).toEqual(Array.from({ length: 10 }, () => [403, 'guest_password']))
    expect(refusal(await enter(secret, 'correct horse'))).toEqual([403, 'guest_password'])
  })

  test('lets in as many as it may, also where the last ones enter at the same moment by several processes', async () => {
    const { task } = await shown()
    const { id, secret } = await linkTo(task)
    await service.rows(
      `insert into guests (id, link_id, name, hash)
       select gen_random_uuid(), $1::uuid, 'Grace ' || i, uuid_send(gen_random_uuid()) from generate_series(1, $2::integer) i`,
      [id, mostGuests - 1],
    )
    const entering = [service, other, service, other, service, other].map((on, at) =>
      on.post('/api/v1/guest/enter', { link: secret, name: `Ada ${at}` }, { token: null }),
    )
    const statuses = (await Promise.all(entering)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 401, 401, 401, 401, 401])
    const [link] = (await make.read(`/api/v1/tasks/${task.id}/guest-links`)).items
    expect(link.guests).toBe(mostGuests)
  })

  test('goes with its task, and with it what its guests said and decided', async () => {
    const { task, creative } = await shown()
    const { post, at } = await guestOf(task, { may_decide: true })
    await post(`creatives/${creative.id}/comments`, { text: 'Warmer' })
    await post(`creatives/${creative.id}/decisions`, { file: creative.file, decision: 'accepted' })
    await make.deleted(`/api/v1/tasks/${task.id}`)
    await purgeAtOnce(service)
    expect(refusal(await at('creatives'))).toEqual([401, 'invalid_guest_link'])
    for (const table of ['guest_links', 'guest_link_creatives'])
      expect(
        await service.rows(`select 1 from ${table} where ${table === 'guest_links' ? 'task_id' : 'creative_id'} = $1`, [
          task.id,
        ]),
      ).toEqual([])
    expect(await service.rows('select 1 from review_comments where creative_id = $1', [creative.id])).toEqual([])
    expect(await service.rows('select 1 from review_decisions where creative_id = $1', [creative.id])).toEqual([])
  })
})

describe('a guest', () => {
  test('has a name that turns nothing around that stands beside it', async () => {
    const { task, creative } = await shown()
    const { secret } = await linkTo(task, { may_decide: true })
    const { data } = await enter(secret, undefined, '\u202eGrace \u2066Hopper\u202c')
    expect(data.name).toBe('Grace Hopper')
    const accepted = { file: creative.file, decision: 'accepted' }
    await service.post(`/api/v1/guest/creatives/${creative.id}/decisions`, accepted, data)
    const [review] = (await make.read(`/api/v1/tasks/${task.id}/review`)).items
    expect(review.decisions).toMatchObject([{ by: { name: 'Grace Hopper (guest)' } }])
    expect(faults(await enter(secret, undefined, '\u202e\u202c'))).toEqual(['value_error body.name'])
  })

  test('sees, comments on and decides about what the link shows, and nothing else', async () => {
    const { task, creatives } = await shown(2)
    const elsewhere = await shown()
    const { at, post } = await guestOf(task, { creative_ids: [creatives[0].id], may_decide: true })
    for (const id of [creatives[1].id, elsewhere.creative.id]) {
      expect(refusal(await at(`creatives/${id}/comments`))).toEqual([404, 'not_found'])
      expect(refusal(await post(`creatives/${id}/comments`, { text: 'x' }))).toEqual([404, 'not_found'])
      const decision = { file: elsewhere.creative.file, decision: 'accepted' }
      expect(refusal(await post(`creatives/${id}/decisions`, decision))).toEqual([404, 'not_found'])
    }
    const [creative] = creatives
    const mark = { kind: 'pin', lines: [[[0.5, 0.5]]] }
    const said = await post(`creatives/${creative.id}/comments`, { text: 'Warmer', mark })
    expect(said.data).toMatchObject({ by_name: 'Grace (guest)', mine: true, text: 'Warmer', mark })
    // Not even the operator, who is nobody as guests are, may put other words into a guest's mouth.
    const { data: told } = await service.get(`/api/v1/creatives/${creative.id}/review-comments`)
    const written = `/api/v1/review-comments/${told.items[0].id}`
    expect(refusal(await service.patch(written, { text: 'Fine' }, { token: operatorToken }))).toEqual([
      403,
      'not_owner',
    ])
    const decided = await post(`creatives/${creative.id}/decisions`, { file: creative.file, decision: 'accepted' })
    expect(decided.data).toMatchObject({ creative_id: creative.id, decision: 'accepted' })
    const [review] = (await make.read(`/api/v1/tasks/${task.id}/review`)).items
    expect(review).toMatchObject({ state: 'accepted', decisions: [{ by: { user_id: null, name: 'Grace (guest)' } }] })
    const kinds = (await make.read(`/api/v1/tasks/${task.id}/activity`)).items.map(({ kind }: Body) => kind)
    expect(kinds.slice(0, 3)).toEqual(['review_decided', 'review_commented', 'guest_looked'])
  })

  test('who accepts the last creative of a task that may not move on leaves the reason in its activity', async () => {
    const task = await make.task({ status: 'creative_check', geo: 'DE' })
    // A model made the file, so that the task may not be done before somebody has answered whether it needs a label.
    const source = 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia'
    const creative = await make.creative(task.id, { file: await make.file(`film ${source}`) })
    await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { moves_to: 'done' })
    const { post } = await guestOf(task, { may_decide: true })
    const accepted = { file: creative.file, decision: 'accepted' }
    expect((await post(`creatives/${creative.id}/decisions`, accepted)).status).toBe(200)
    expect((await make.read(`/api/v1/tasks/${task.id}`)).status).toBe('creative_check')
    const [told, decided] = (await make.read(`/api/v1/tasks/${task.id}/activity`)).items
    expect(decided.kind).toBe('review_decided')
    expect(told).toMatchObject({
      kind: 'task_stayed',
      changes: { reason: { to: expect.stringContaining(creative.name) }, guest: { from: null, to: 'Grace' } },
    })
  })

  test('who accepts the last creative is named as the one who moved the task', async () => {
    const { task, creative } = await shown(1, { status: 'creative_check' })
    await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { moves_to: 'done' })
    const { post } = await guestOf(task, { may_decide: true })
    await post(`creatives/${creative.id}/decisions`, { file: creative.file, decision: 'accepted' })
    const [moved] = (await make.read(`/api/v1/tasks/${task.id}/activity`)).items
    expect(moved).toMatchObject({
      ...{ kind: 'task_moved', by: null },
      changes: { status: { from: 'creative_check', to: 'done' }, guest: { from: null, to: 'Grace' } },
    })
  })

  test('who comes back with an empty browser, under the same name, sees what they decided and takes it back', async () => {
    const { task, creative } = await shown()
    const { link, post } = await guestOf(task, { may_decide: true })
    const wanted = { file: creative.file, decision: 'changes_wanted', note: 'The logo is cut off' }
    expect((await post(`creatives/${creative.id}/decisions`, wanted)).status).toBe(200)
    const state = async () => (await make.read(`/api/v1/tasks/${task.id}/review`)).items[0]

    const other = (await enter(link.secret, undefined, 'Ada')).data
    const accepted = { file: creative.file, decision: 'accepted' }
    const decide = `/api/v1/guest/creatives/${creative.id}/decisions`
    expect((await service.get('/api/v1/guest/creatives', other)).data.items[0]).toMatchObject({
      decision: null,
      note: null,
    })
    await service.post(decide, accepted, other)
    expect(await state()).toMatchObject({ state: 'changes_wanted' })

    const back = (await enter(link.secret, undefined, 'grace')).data
    const { decision, note } = wanted
    expect((await service.get('/api/v1/guest/creatives', back)).data.items[0]).toMatchObject({ decision, note })
    expect((await service.post(decide, accepted, back)).data).toMatchObject({ decision: 'accepted', note: '' })
    expect(await state()).toMatchObject({ state: 'accepted' })
    expect((await state()).decisions).toHaveLength(2)

    // The same name behind another link is somebody else.
    const elsewhere = await guestOf(task, { may_decide: true })
    expect((await elsewhere.at('creatives')).data.items[0].decision).toBe(null)
    await elsewhere.post(`creatives/${creative.id}/decisions`, wanted)
    expect((await state()).decisions).toHaveLength(3)
  })

  test('does not see what is internal, nor answers it', async () => {
    const { task, creative } = await shown()
    const path = `/api/v1/creatives/${creative.id}/review-comments`
    const hidden = await service.post(path, { text: 'Between us' })
    await service.post(path, { text: 'For all', visibility: 'guests' })
    const { at, post } = await guestOf(task)
    const { items } = (await at(`creatives/${creative.id}/comments`)).data
    expect(items).toMatchObject([{ text: 'For all', mine: false }])
    const answer = await post(`creatives/${creative.id}/comments`, { text: 'x', thread_id: hidden.data.id })
    expect(faults(answer)).toEqual(['value_error body.thread_id'])
  })

  test('has the rights of the link, and decides about the file that was looked at', async () => {
    const { task, creative } = await shown()
    const { post } = await guestOf(task, { may_comment: false })
    expect(refusal(await post(`creatives/${creative.id}/comments`, { text: 'x' }))).toEqual([403, 'guest_right'])
    const accepted = { file: creative.file, decision: 'accepted' }
    expect(refusal(await post(`creatives/${creative.id}/decisions`, accepted))).toEqual([403, 'guest_right'])
    const deciding = await guestOf(task, { may_decide: true })
    await service.patch(`/api/v1/creatives/${creative.id}`, { file: await make.file('another one', 'image/png') })
    const stale = await deciding.post(`creatives/${creative.id}/decisions`, accepted)
    expect(refusal(stale)).toEqual([409, 'version_not_current'])
    // A comment belongs to the version that the guest names, even if that version is no longer the current one.
    const said = await deciding.post(`creatives/${creative.id}/comments`, { text: 'Warmer', version: 1 })
    expect([said.data.version, (await deciding.at('creatives')).data.items[0].version]).toEqual([1, 2])
    expect(faults(await deciding.post(`creatives/${creative.id}/comments`, { text: 'x', version: 3 }))).toEqual([
      'value_error body.version',
    ])
  })

  test('opens no file but the current ones of the link, by whichever route has a digest, whole or in part', async () => {
    const { task, creatives } = await shown(2)
    const [creative, hidden] = creatives
    const replaced = creative.file
    const file = await picture()
    await service.patch(`/api/v1/creatives/${creative.id}`, { file })
    const elsewhere = (await shown()).creative.file
    const { at, token } = await guestOf(task, { creative_ids: [creative.id] })
    const [{ url }] = (await at('creatives')).data.items
    const query = url.split('?')[1]
    const ask = async ({ path, method }: Route, digest: string, options: object) => {
      const { status } = await service.ask(method, `${path.replace('{digest}', digest)}?${query}`, {
        token: null,
        ...options,
      })
      return status < 300
    }
    const range = { headers: { range: 'bytes=0-1' } }
    for (const route of Object.values(routes).filter(({ path }) => path.includes('{digest}'))) {
      const opened = [await ask(route, file, {}), await ask(route, file, range)]
      expect([route.path, ...opened]).toEqual([route.path, ...opened.map(() => route.linkable === true)])
      for (const digest of [replaced, hidden.file, elsewhere])
        for (const options of [{}, range, { token }])
          expect([route.path, await ask(route, digest, options)]).toEqual([route.path, false])
      expect([route.path, await ask(route, file, { token })]).toEqual([route.path, false])
    }
    await make.deleted(`/api/v1/creatives/${creative.id}`)
    expect(refusal(await service.get(url, { token: null }))).toEqual([401, 'invalid_link'])
    await make.restored(`/api/v1/creatives/${creative.id}`)
    expect((await service.get(url, { token: null })).status).toBe(200)
  })
})
