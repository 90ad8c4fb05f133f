// Facts about what pages say of money: who set a budget, and what all starts of a run cost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { createProvider, testNodes } from '../server/test/support/test-nodes.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'

let app: App
beforeAll(async () => {
  app = await startApp({}, testNodes(createProvider()))
  await app.service.app.worker.start()
})
afterAll(() => app.close())

test('the list of budgets says who set each, and what it was before', async () => {
  for (const amount of [10_000_000, 25_000_000]) await app.service.post('/api/v1/budgets', { period: 'month', amount })
  const page = await app.open('/money')
  const budgets = page.getByRole('table', { name: 'Budgets' })
  await budgets.getByRole('cell', { name: /^by .+; was USD 10\.00$/ }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('the page of a run says what all its starts cost, once there was more than one', async () => {
  const copy = { type: 'test.priced', inputs: { prompt: 'a jug' } }
  const { id } = await makeRun(app.service, definitionOf({ copy }))
  await runThrough(app.service, id)
  const page = await app.open(`/runs/${id}`)
  await page.getByText('USD 0.04 paid; planned: USD 0.04.', { exact: true }).waitFor()
  await runThrough(app.service, id, { regenerate: [{ node_id: 'copy' }] })
  const both = page.getByText('USD 0.04 paid; planned: USD 0.04. All starts: USD 0.08 paid.', { exact: true })
  await expect.poll(() => both.count()).toBe(1)
})
