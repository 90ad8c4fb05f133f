// Facts about memberships: which organization counts, which role a provider's role name gives, and which admin decisions stay.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alignAtStart, choiceWords, chooseOrganization } from '../../src/features/webhooks/organization.ts'
import { createLog } from '../../src/platform/log.ts'
import { type Service, startService } from '../support/harness.ts'
import {
  memberMessage,
  ourOrganization,
  peopleOf,
  sendMessage,
  userDeletedMessage,
  userMessage,
  webhookSecret,
} from '../support/provider.ts'

const settings = { ATELIER_WEBHOOK_SECRETS: webhookSecret }
let service: Service
beforeAll(async () => {
  service = await startService({ ...settings, ATELIER_ORGANIZATION: ourOrganization })
})
afterAll(() => service.close())

let count = 0
const newId = () => `user_${++count}`

/** Sends messages one after the other and expects each to be accepted. */
async function tell(...messages: unknown[]): Promise<void> {
  for (const message of messages) expect((await sendMessage(service, message)).status).toBe(204)
}
const person = async (id: string) => (await peopleOf(service, id))[0]

/** Aligns people with these settings, as a new process does at its start; returns which organization it chose, and the log. */
async function restarted(environment: Record<string, string>) {
  const kept: string[] = []
  const log = createLog('info', { write: (line: string) => void kept.push(line) })
  const { readConfig } = await import('../../src/platform/config.ts')
  const choice = await alignAtStart(service.database, readConfig(environment), log)
  return { choice, log: () => kept.join('') }
}

test.each([
  ['org:admin', 'admin'],
  ['org:member', 'writer'],
  ['org:guest', 'reader'],
  ...['org:product_owner', 'landowner', 'org:read_only', 'Org:Admin', '__proto__'].map((word) => [word, 'reader']),
  ...[undefined, null, 7, ['org:admin']].map((word) => [word, 'reader']),
])('the role word %j makes a member: %s', async (word, role) => {
  const id = newId()
  await tell(userMessage(id, 1), memberMessage(`m_${id}`, id, word, 1))
  expect(await person(id)).toMatchObject({ role, active: true })
})

describe('a membership of another organization', () => {
  test('gives nothing, and keeps nobody in who was removed from ours', async () => {
    const id = newId()
    await tell(userMessage(id, 1), memberMessage(`a_${id}`, id, 'org:guest', 1))
    await tell(memberMessage(`b_${id}`, id, 'org:admin', 2, { organization: 'org_own' }))
    expect(await person(id)).toMatchObject({ role: 'reader', active: true })
    await tell(memberMessage(`a_${id}`, id, 'org:guest', 3, { kind: 'deleted' }))
    expect(await person(id)).toMatchObject({ role: 'reader', active: false })
  })

  test('that ends is no leaving', async () => {
    const id = newId()
    const other = { organization: 'org_own' }
    await tell(userMessage(id, 1), memberMessage(`a_${id}`, id, 'org:member', 1))
    await tell(memberMessage(`b_${id}`, id, 'org:admin', 2, other))
    await tell(memberMessage(`b_${id}`, id, 'org:admin', 3, { ...other, kind: 'deleted' }))
    expect(await person(id)).toMatchObject({ role: 'writer', active: true })
  })

  test('is what a membership that names none is taken for', async () => {
    const id = newId()
    await tell(userMessage(id, 1), memberMessage(`a_${id}`, id, 'org:admin', 1, { organization: null }))
    expect(await person(id)).toMatchObject({ role: 'reader', active: true })
  })
})

describe('what an admin has decided', () => {
  const deactivate = (userId: string) => service.patch(`/api/v1/users/${userId}`, { active: false })

  test('outlives every message: who was deactivated stays so until an admin says otherwise', async () => {
    const id = newId()
    await tell(userMessage(id, 1), memberMessage(`m_${id}`, id, 'org:member', 1))
    const { id: userId } = await person(id)
    await deactivate(userId)
    await tell(userMessage(id, 2, 'Augusta'), memberMessage(`m_${id}`, id, 'org:admin', 3, { kind: 'updated' }))
    await tell(
      memberMessage(`m_${id}`, id, 'org:admin', 4, { kind: 'deleted' }),
      memberMessage(`n_${id}`, id, 'org:admin', 5),
    )
    expect(await person(id)).toMatchObject({ active: false, role: 'admin' })
    await service.patch(`/api/v1/users/${userId}`, { active: true })
    expect(await person(id)).toMatchObject({ active: true, role: 'admin' })
    await tell(userMessage(id, 6, 'Ada'))
    expect(await person(id)).toMatchObject({ active: true })
  })

  test('does not keep anybody in whom the provider ends later', async () => {
    const id = newId()
    await tell(userMessage(id, 1), memberMessage(`m_${id}`, id, 'org:member', 1))
    const { id: userId } = await person(id)
    await deactivate(userId)
    await service.patch(`/api/v1/users/${userId}`, { active: true })
    await tell(userDeletedMessage(id))
    expect(await person(id)).toMatchObject({ active: false })
  })

  test('lets somebody in again whom the provider had ended, until it ends them again', async () => {
    const id = newId()
    const left = Date.now() - 60_000
    await tell(userMessage(id, 1), memberMessage(`m_${id}`, id, 'org:member', 1, { kind: 'deleted', timestamp: left }))
    const { id: userId, active } = await person(id)
    expect(active).toBe(false)
    await service.patch(`/api/v1/users/${userId}`, { active: true })
    await tell(userMessage(id, 2, 'Augusta'))
    expect(await person(id)).toMatchObject({ active: true })
    await tell(userDeletedMessage(id))
    expect(await person(id)).toMatchObject({ active: false })
  })
})

test('no message changes the role or the access of the owner, but a deletion', async () => {
  const id = newId()
  await tell(userMessage(id, 1))
  const { id: made } = await person(id)
  await service.rows(`update directory_users set user_id = $1 where provider_id = $2`, [service.owner.id, id])
  await service.rows('delete from users where id = $1', [made])
  const guest = memberMessage(`m_${id}`, id, 'org:guest', 1)
  await tell(guest, memberMessage(`m_${id}`, id, 'org:guest', 2, { kind: 'deleted' }))
  expect(await person(id)).toMatchObject({ role: 'admin', active: true })
  await service.rows('delete from directory_users where provider_id = $1', [id])
})

test('a start with another table of roles brings everybody in line, and the log says who and by which word', async () => {
  const id = newId()
  await tell(userMessage(id, 1), memberMessage(`m_${id}`, id, 'org:designer', 1))
  const { id: userId } = await person(id)
  expect(await person(id)).toMatchObject({ role: 'reader' })
  const set = { ATELIER_ORGANIZATION: ourOrganization }
  const { log } = await restarted({ ...set, ATELIER_ROLES: 'org:designer=writer,org:member=writer' })
  expect(await person(id)).toMatchObject({ role: 'writer' })
  expect(log()).toContain(userId)
  const back = await restarted(set)
  expect(await person(id)).toMatchObject({ role: 'reader' })
  expect(back.log()).toContain('org:designer')
})

describe('while it is not known which organization is ours', () => {
  let unset: Service
  const tellUnset = async (...messages: unknown[]) => {
    for (const message of messages) expect((await sendMessage(unset, message)).status).toBe(204)
  }
  const of = async (id: string) => (await peopleOf(unset, id))[0]
  const start = () => alignAtStart(unset.database, unset.config, createLog('silent'))
  beforeAll(async () => {
    unset = await startService(settings)
  })
  afterAll(() => unset.close())

  test('nothing is said of it before there are memberships', async () => {
    expect(choiceWords(await start())).toBeNull()
  })

  test('memberships give nobody a role; the one organization is taken at a start, and others count for nothing then', async () => {
    await tellUnset(userMessage('a', 1), memberMessage('m_a', 'a', 'org:admin', 1))
    expect(await of('a')).toMatchObject({ role: 'reader', active: true })
    expect(await chooseOrganization(unset.database.main, unset.config)).toMatchObject({ by: 'only' })
    expect(choiceWords(await start())).toContain(`memberships of ${ourOrganization} count`)
    expect(await of('a')).toMatchObject({ role: 'admin' })
    await tellUnset(userMessage('b', 1), memberMessage('m_b', 'b', 'org:admin', 1, { organization: 'org_own' }))
    expect(await of('b')).toMatchObject({ role: 'reader', active: true })
    expect(choiceWords(await start())).toContain(`memberships of ${ourOrganization} count`)
    expect(await of('b')).toMatchObject({ role: 'reader' })
  })

  test('where several are known roles stay, nobody gains one, and the start says what to set', async () => {
    await unset.rows('delete from directory_organization')
    expect(choiceWords(await start())).toMatch(
      /until ATELIER_ORGANIZATION is set \(known: .*org_main \(1 person\).*\)$/,
    )
    expect(await of('a')).toMatchObject({ role: 'admin' })
    await tellUnset(memberMessage('m_b', 'b', 'org:owner', 5, { kind: 'updated', organization: 'org_own' }))
    await tellUnset(memberMessage('m_a', 'a', 'org:guest', 5, { kind: 'updated' }))
    expect(await of('b')).toMatchObject({ role: 'reader' })
    expect(await of('a')).toMatchObject({ role: 'admin' })
  })

  test('whoever has left every organization is out, and joining another one lets nobody in again', async () => {
    const [joined, left, again] = [1000, 2000, 3000]
    await tellUnset(userMessage('c', 1), memberMessage('m_c', 'c', 'org:member', joined, { created_at: joined }))
    const end = { kind: 'deleted', created_at: joined, timestamp: left } as const
    const own = { organization: 'org_own', created_at: again }
    await tellUnset(memberMessage('m_c', 'c', 'org:member', joined, end))
    expect(await of('c')).toMatchObject({ active: false })
    await tellUnset(memberMessage('n_c', 'c', 'org:admin', again, own))
    expect(await of('c')).toMatchObject({ active: false, role: 'reader' })
  })
})
