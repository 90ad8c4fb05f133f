// Facts about who set a budget and who ended one: the list says who set it last, when, and what it was before; and of those that were
// ended who did it, and when.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Body, type Service, startService } from '../support/harness.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

const set = async (amount: number, token = service.owner.token): Promise<Body> => {
  const { status, data, text } = await service.post('/api/v1/budgets', { period: 'month', amount }, { token })
  expect(status, text).toBe(200)
  return data
}
const listed = async (): Promise<Body> => (await service.get('/api/v1/money')).data.budgets[0]

test('a new budget says who set it; one that is raised says who raised it, and what it was', async () => {
  const made = await set(1_000_000)
  expect(made).toMatchObject({ set_by: service.owner.id, amount_before: null, set_at: expect.stringMatching(/Z$/) })
  expect(await listed()).toEqual(made)
  const { data: token } = await service.post('/api/v1/tokens', { name: 'Finance', scopes: ['read', 'admin'] })
  await set(3_000_000, token.token)
  const raised = await listed()
  expect(raised).toMatchObject({ id: made.id, amount: 3_000_000, amount_before: 1_000_000 })
  expect(raised.set_by).toEqual(expect.any(String))
  expect(raised.set_at >= made.set_at).toBe(true)
})

test('of a budget that a process of 0.3.0 has set since, nobody says who set it', async () => {
  await set(2_000_000)
  await service.rows(`update budgets set amount = 9000000, updated_at = updated_at + interval '1 second'`)
  expect(await listed()).toMatchObject({ amount: 9_000_000, set_by: null, amount_before: null })
  await set(4_000_000)
  expect(await listed()).toMatchObject({ set_by: service.owner.id, amount_before: 9_000_000 })
})

test('of a budget that is ended, the list says what it was, who ended it, and when, the last one first', async () => {
  const end = async (id: string, token = service.owner.token): Promise<Body> => {
    const { status, data } = await service.ask('DELETE', `/api/v1/budgets/${id}`, { token })
    return { status, ended: data?.ended }
  }
  const { data: token } = await service.post('/api/v1/tokens', { name: 'Ending', scopes: ['read', 'admin'] })
  const first = await set(5_000_000)
  await end(first.id, token.token)
  const second = await set(6_000_000)
  const { ended } = await end(second.id)
  expect(ended).toMatchObject([
    { id: second.id, person_id: null, period: 'month', amount: 6_000_000, ended_by: service.owner.id },
    { id: first.id, amount: 5_000_000 },
  ])
  expect(ended[0].ended_at >= ended[1].ended_at).toBe(true)
  const { data: money } = await service.get('/api/v1/money')
  expect(money).toMatchObject({ budgets: [], ended })
  // A second end of the same budget changes nothing.
  expect((await end(second.id)).status).toBe(404)
  expect((await service.get('/api/v1/money')).data.ended).toEqual(ended)
})

test('a budget that a process of 0.3.0 ends is no budget any more, and nobody says who ended it', async () => {
  const { ended: before } = (await service.get('/api/v1/money')).data
  const { id } = await set(7_000_000)
  await service.rows('delete from budgets where id = $1', [id])
  expect((await service.get('/api/v1/money')).data).toMatchObject({ budgets: [], ended: before })
})
