// Facts about people: how they are listed, and which person a token belongs to.
import { roleScopes, scopes } from '@atelier/contract/enums.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureOwner } from '../../src/features/people/owner.ts'
import { insertUser } from '../../src/features/people/store.ts'
import { hashToken } from '../../src/platform/auth.ts'
import { type Body, type Service, startService } from '../support/harness.ts'
import { refusal, utc } from '../support/make.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
  for (const name of ['ärger', null, 'Zoe', 'anna', 'Ärger', null, 'Bob', 'bob']) {
    await service.database.tx((tx) => insertUser(tx, { name, email: null, role: 'writer' }))
  }
})
afterAll(() => service.close())

test('people are listed by name regardless of case, those without one last, in one order on every database', async () => {
  const names: (string | null)[] = []
  const ids = new Set<string>()
  let query = ''
  do {
    const { data } = await service.get(`/api/v1/users?limit=2${query}`)
    for (const { id, name } of data.items) {
      names.push(name)
      ids.add(id)
    }
    query = data.meta.next_cursor === null ? '' : `&cursor=${data.meta.next_cursor}`
  } while (query !== '')
  expect(names).toEqual(['anna', 'Bob', 'bob', 'Owner', 'Zoe', 'Ärger', 'ärger', null, null])
  expect(ids.size).toBe(9)
})

test('a person has a role, and is active until deactivated', async () => {
  const { data } = await service.get('/api/v1/users?limit=100')
  const owner = data.items.find(({ id }: Body) => id === service.owner.id)
  expect(owner).toEqual({
    id: service.owner.id,
    name: 'Owner',
    email: null,
    image_url: null,
    role: 'admin',
    active: true,
    created_at: expect.stringMatching(utc),
  })
})

test('a caller is told who they are and what they may do', async () => {
  for (const role of ['reader', 'writer', 'admin'] as const) {
    const { id, token } = await service.person(role)
    const { data } = await service.get('/api/v1/users/me', { token })
    expect(data).toMatchObject({ kind: 'person', name: `A ${role}`, user: { id, role } })
    expect(data.scopes.toSorted()).toEqual([...roleScopes[role]].toSorted())
  }
  const { token } = await service.integration(scopes)
  const { data } = await service.get('/api/v1/users/me', { token })
  expect(data).toMatchObject({ kind: 'integration', user: null })
})

test('a reader lists people; a token without read does not', async () => {
  const [reader, lookup] = [await service.person('reader'), await service.integration(['creatives:lookup'])]
  expect((await service.get('/api/v1/users', reader)).status).toBe(200)
  expect((await service.get('/api/v1/users', lookup)).status).toBe(403)
})

test('a token that the operator has set is that of an active admin, and nobody’s where none is active', async () => {
  const own = await startService()
  const me = async (token: string) => (await own.get('/api/v1/users/me', { token })).data?.user.id
  const second = await own.person('admin')
  await own.patch(`/api/v1/users/${own.owner.id}`, { active: false }, second)
  const [given, later] = [`given-by-the-operator-${'x'.repeat(20)}`, `given-later-by-the-operator-${'x'.repeat(20)}`]
  expect(await ensureOwner(own.database, given)).toBe(null)
  expect(await me(given)).toBe(second.id)

  await own.rows('update users set active = false')
  expect(await ensureOwner(own.database, later)).toBe(null)
  expect(await own.rows('select 1 from users where active')).toEqual([])
  expect(await own.rows('select 1 from tokens where hash = $1', [hashToken(later)])).toEqual([])
  await own.close()
})

test('a token that the operator has set ends with its admin, and is nobody else’s at the next start', async () => {
  const own = await startService()
  const given = `given-by-the-operator-${'y'.repeat(20)}`
  expect(await ensureOwner(own.database, given)).toBe(null)
  const me = () => own.get('/api/v1/users/me', { token: given })
  expect((await me()).data.user.id).toBe(own.owner.id)
  const second = await own.person('admin')
  const setActive = (active: boolean) => own.patch(`/api/v1/users/${own.owner.id}`, { active }, second)
  await setActive(false)
  expect(refusal(await me())).toEqual([401, 'invalid_token'])
  expect(await ensureOwner(own.database, given)).toBe(null)
  expect(refusal(await me())).toEqual([401, 'invalid_token'])
  await setActive(true)
  expect(refusal(await me())).toEqual([401, 'invalid_token'])
  await own.close()
})

test('the last active admin stays one; where there is none any more, everything else about people can be changed', async () => {
  const own = await startService()
  const ann = await own.person('writer')
  const operator = await own.integration(scopes)
  const lastAdmin = `/api/v1/users/${own.owner.id}`
  for (const taken of [{ active: false }, { role: 'writer' }, { role: 'writer', active: false }]) {
    expect(refusal(await own.patch(lastAdmin, taken, operator))).toEqual([409, 'last_admin'])
  }
  expect((await own.patch(lastAdmin, { name: 'Olive', role: 'admin', active: true }, operator)).status).toBe(200)

  await own.rows('update users set active = false where id = $1', [own.owner.id])
  expect((await own.patch(`/api/v1/users/${ann.id}`, { name: 'Ann', role: 'reader' }, operator)).data).toMatchObject({
    name: 'Ann',
    role: 'reader',
  })
  expect((await own.patch(lastAdmin, { role: 'writer' }, operator)).status).toBe(200)
  expect((await own.patch(`/api/v1/users/${ann.id}`, { role: 'admin' }, operator)).data.role).toBe('admin')
  await own.close()
})
