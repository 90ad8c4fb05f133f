// Facts about who set a budget: the list says who set it last, when, and what it was before.
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
