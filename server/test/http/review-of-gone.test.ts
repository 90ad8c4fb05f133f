// Facts about requests for changes by people, integrations and guests who have lost access: they hold until the team accepts.
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

let serial = 0
async function shown(members: object = {}) {
  const task = await make.task({ status: 'creative_check', ...members })
  const file = await make.file(`picture ${serial++}`, 'image/png')
  const creative = await make.creative(task.id, { file })
  const decide = async (decision: string, token?: string): Promise<Body> => {
    const options = token ? { token } : {}
    const made = await service.post(`/api/v1/creatives/${creative.id}/decisions`, { file, decision }, options)
    expect(made.status, made.text).toBe(200)
    return made.data
  }
  const state = async () => (await make.read(`/api/v1/tasks/${task.id}/review`)).items[0].state
  const guest = async (): Promise<{ link: Body; decide: (decision: string) => Promise<void> }> => {
    const sent = { name: 'The client', may_decide: true }
    const { data: link } = await service.post(`/api/v1/tasks/${task.id}/guest-links`, sent)
    const entered = await service.post('/api/v1/guest/enter', { link: link.url.split('#')[1], name: 'Grace' })
    const decideAsGuest = async (decision: string) => {
      const { token } = entered.data
      const made = await service.post(`/api/v1/guest/creatives/${creative.id}/decisions`, { file, decision }, { token })
      expect(made.status, made.text).toBe(200)
    }
    return { link, decide: decideAsGuest }
  }
  return { task, creative, decide, state, guest }
}

const setActive = async (id: string, active: boolean) => {
  const { status, text } = await service.patch(`/api/v1/users/${id}`, { active })
  expect(status, text).toBe(200)
}

test('what a deactivated reviewer wanted changed holds until the team accepts, and then the task moves on', async () => {
  const walt = await service.person('writer')
  const { task, creative, decide, state } = await shown()
  await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [walt.id], moves_to: 'done' })
  await decide('changes_wanted', walt.token)
  await setActive(walt.id, false)
  await service.patch(`/api/v1/tasks/${task.id}/reviewers`, { reviewers: [] })
  expect(await state()).toBe('changes_wanted')
  expect(await decide('accepted')).toMatchObject({ state: 'accepted', decisions: [{ decision: 'accepted' }] })
  expect((await make.read(`/api/v1/tasks/${task.id}`)).status).toBe('done')
  const all = (await make.read(`/api/v1/creatives/${creative.id}/decisions`)).items
  expect(all).toMatchObject([
    { decision: 'accepted', void_at: null },
    { decision: 'changes_wanted', void_at: expect.any(String), by: { user_id: walt.id } },
  ])

  await setActive(walt.id, true)
  expect(await state()).toBe('accepted')
})

test('what somebody wanted changed who may decide is not lifted by an acceptance, nor after they came back', async () => {
  const walt = await service.person('writer')
  const { decide, state } = await shown()
  await decide('changes_wanted', walt.token)
  await decide('accepted')
  expect(await state()).toBe('changes_wanted')
  await setActive(walt.id, false)
  // The acceptance is from before.
  expect(await state()).toBe('changes_wanted')
  await setActive(walt.id, true)
  await decide('accepted')
  expect(await state()).toBe('changes_wanted')
})

test('what somebody wanted changed who only reads now is lifted by an acceptance, and not by another request', async () => {
  const walt = await service.person('writer')
  const { creative, decide } = await shown()
  await decide('changes_wanted', walt.token)
  await service.patch(`/api/v1/users/${walt.id}`, { role: 'reader' })
  expect((await decide('changes_wanted')).decisions).toHaveLength(2)
  expect(await decide('accepted')).toMatchObject({ creative_id: creative.id, state: 'accepted' })
})

test('what a guest wanted changed holds after the link was revoked, until the team accepts', async () => {
  const { decide, state, guest } = await shown()
  const grace = await guest()
  await grace.decide('changes_wanted')
  await decide('accepted')
  expect(await state()).toBe('changes_wanted')
  await make.deleted(`/api/v1/guest-links/${grace.link.id}`)
  expect(await state()).toBe('changes_wanted')
  const again = await guest()
  await again.decide('accepted')
  expect(await state()).toBe('changes_wanted')
  expect(await decide('accepted')).toMatchObject({ state: 'accepted' })
})

test('what a guest accepted counts after the link was revoked; what one wanted changed is lifted once the link is over', async () => {
  const kept = await shown()
  const grace = await kept.guest()
  await grace.decide('accepted')
  await make.deleted(`/api/v1/guest-links/${grace.link.id}`)
  expect(await kept.state()).toBe('accepted')

  const { decide, guest } = await shown()
  const late = await guest()
  await late.decide('changes_wanted')
  await service.rows(`update guest_links set expires_at = now() - interval '1 minute' where id = '${late.link.id}'`)
  expect(await decide('accepted')).toMatchObject({ state: 'accepted' })
})

test('what an integration wanted changed is lifted by an acceptance once its token is revoked', async () => {
  const { decide } = await shown()
  const { data: token } = await service.post('/api/v1/tokens', { name: 'Checker', scopes: ['read', 'tasks:write'] })
  await decide('changes_wanted', token.token)
  expect(await decide('accepted')).toMatchObject({ state: 'changes_wanted' })
  await make.deleted(`/api/v1/tokens/${token.id}`)
  expect(await decide('accepted')).toMatchObject({ state: 'accepted' })
})
