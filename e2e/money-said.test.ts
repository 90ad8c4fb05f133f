// Facts about what pages say of money: who set a budget and which one is replaced, and what all starts of a run cost.
import type { Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import type { Body } from '../server/test/support/harness.ts'
import { makeRun, runThrough } from '../server/test/support/runs.ts'
import { createProvider, testNodes } from '../server/test/support/test-nodes.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp({}, testNodes(createProvider()))
  await app.service.app.worker.start()
})
afterAll(() => app.close())

test('the list of budgets says who set each, and what it was before', async () => {
  for (const amount of [10_000_000, 25_000_000]) await app.service.post('/api/v1/budgets', { period: 'month', amount })
  const page = await app.open('/money')
  const budgets = page.getByRole('table', { name: 'Budgets', exact: true })
  await budgets.getByRole('cell', { name: /^by .+; was USD 10\.00$/ }).waitFor()
  expect(await violations(page)).toEqual([])
})

test('below the list of budgets stands who ended one, and when, once the last one was ended too', async () => {
  const page = await app.open('/money')
  const budgets = page.getByRole('table', { name: 'Budgets', exact: true })
  const end = budgets.getByRole('button', { name: /^End the budget of Everybody/ })
  await end.click()
  await budgets.getByRole('button', { name: /really end/i }).click()
  await budgets.waitFor({ state: 'detached' })
  const ended = page.getByRole('table', { name: 'Ended budgets' })
  const row = ended.getByRole('row', { name: /^Everybody Each month USD 25\.00 by .+, just now$/ })
  await row.waitFor()
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

test('the form says which budget it replaces, and replaces none that somebody has set since', async () => {
  const budgets = async () => (await app.make.read('/api/v1/money')).budgets.map(({ amount }: Body) => amount)
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 20_000_000 })
  const page = await app.open('/money')
  const amount = page.getByRole('textbox', { name: 'Amount, in USD' })
  await amount.fill('50')
  await page.getByText('Replaces USD 20.00.').waitFor()
  // From now on, the page reads late what the service has.
  const held: Route[] = []
  let isHeld = true
  await intercept(page, '**/api/v1/money', (route) => (isHeld ? held.push(route) : route.continue()))
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 200_000_000 })
  await page.getByRole('button', { name: 'Replace budget' }).click()
  await expect.poll(() => held.length).toBeGreaterThan(0)
  isHeld = false
  for (const route of held) await route.continue()
  await page.getByText('Somebody changed this meanwhile').waitFor()
  await page.getByText('Replaces USD 200.00.').waitFor()
  expect(await budgets()).toEqual([200_000_000])
  expect(await amount.inputValue()).toBe('50')
  await page.getByRole('button', { name: 'Replace budget' }).click()
  await expect.poll(budgets).toEqual([50_000_000])
})

test('where nobody could say of some calls what they cost at most, the report says of how many, also on a phone', async () => {
  const page = await app.open('/people')
  await intercept(page, '**/api/v1/spend*', async (route) => {
    const response = await route.fetch()
    const { data, ...body } = await response.json()
    const row = {
      key: '2026-11',
      name: '2026-11',
      amount: 10_000,
      at_most: 20_000,
      planned_most: null,
      planned_known: 5_000,
    }
    const rows = [3, 1].map((calls) => ({ ...row, key: `2026-1${calls}`, calls, calls_unplanned: 1 }))
    await route.fulfill({ response, json: { ...body, data: { ...data, rows } } })
  })
  await page.goto(`${app.url}/money`)
  const cells = page.getByRole('table', { name: 'Spent' }).getByRole('cell', { name: /not known$/i })
  await expect.poll(() => cells.allTextContents()).toEqual(['USD 0.005, and 1 call not known', 'Not known'])
  await page.setViewportSize({ width: 390, height: 780 })
  await page.getByText('Planned at most: USD 0.005, and 1 call not known').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
})

test('where a service of 0.3.0 has answered, the report says that what was planned is not known', async () => {
  const page = await app.open('/people')
  await intercept(page, '**/api/v1/spend*', async (route) => {
    const response = await route.fetch()
    const { data, ...body } = await response.json()
    const row = { key: '2026-11', name: '2026-11', calls: 3, amount: 10_000, at_most: 20_000, planned_most: null }
    await route.fulfill({ response, json: { ...body, data: { ...data, rows: [row] } } })
  })
  await page.goto(`${app.url}/money`)
  const cells = page.getByRole('table', { name: 'Spent' }).getByRole('cell', { name: /not known/i })
  await expect.poll(() => cells.allTextContents()).toEqual(['Not known'])
})
