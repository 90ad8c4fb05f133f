// Facts about money in the browser: a start that may cost more than is wanted asks first, and says what keeps it from starting.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, untilStatus } from '../server/test/support/runs.ts'
import { createProvider, testNodes } from '../server/test/support/test-nodes.ts'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { keepShot } from './support/shots.ts'

let app: App
beforeAll(async () => {
  app = await startApp({}, testNodes(createProvider()))
  await app.service.app.worker.start()
})
afterEach(async () => {
  await app.service.rows('delete from budgets')
  await app.service.rows('delete from money_settings')
})
afterAll(() => app.close())

const asking = (prompt: string, params: object = {}) =>
  definitionOf({ copy: { type: 'test.priced', inputs: { prompt }, params } })

async function pressStart(page: Awaited<ReturnType<App['open']>>): Promise<void> {
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByRole('menuitem', { name: /^Everything/ }).click()
}

test('what nobody can say the price of asks for a limit, and starts with it', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 10_000_000 })
  const { id } = await makeRun(app.service, asking('a flask', { most: -1 }))
  const page = await app.open(`/runs/${id}`)
  await pressStart(page)
  const dialog = page.getByRole('dialog', { name: 'What may this cost?' })
  const amount = dialog.getByRole('textbox', { name: 'At most, in USD' })
  await amount.waitFor()
  await dialog.getByText('Nobody can say beforehand what this costs at most.').waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'money-limit')
  await amount.fill('1.5')
  await dialog.getByRole('button', { name: 'Start with this limit' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect((await untilStatus(app.service, id, 'succeeded', 'failed')).status).toBe('succeeded')
})

test('above a sum a writer asks for an approval, an admin gives it under Money, and the same start goes', async () => {
  await app.service.patch('/api/v1/money', { approval_above: 10_000 })
  const writer = await app.service.person('writer')
  const made = await app.service.post('/api/v1/graphs', { name: 'Flasks', definition: asking('two flasks') }, writer)
  const run = await app.service.post(`/api/v1/graphs/${made.data.id}/runs`, {}, writer)
  const page = await app.open(`/runs/${run.data.id}`, { userId: writer.id })
  await pressStart(page)
  const dialog = page.getByRole('dialog', { name: 'This start needs an approval' })
  const ask = dialog.getByRole('button', { name: 'Ask for the approval' })
  await ask.waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'money-approval')
  await ask.click()
  await page.getByText('An admin finds it under Money.').waitFor()
  expect(await page.getByText('Not started').count()).toBe(0)
  await keepShot(page, 'money-asked')

  const admin = await app.open('/money')
  const approve = admin.getByRole('button', { name: /^Approve/ })
  await approve.waitFor()
  expect(await violations(admin)).toEqual([])
  await keepShot(admin, 'money-page')
  await approve.click()
  await approve.waitFor({ state: 'hidden' })
  await pressStart(page)
  expect((await untilStatus(app.service, run.data.id, 'succeeded', 'failed')).status).toBe('succeeded')
})

test('what a budget has no room for is refused in words', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 20_000 })
  const { id } = await makeRun(app.service, asking('three flasks'))
  const page = await app.open(`/runs/${id}`)
  await pressStart(page)
  await page.getByText(/^The budget of the workspace for this month has .*this may cost USD 0\.04/).waitFor()
  await keepShot(page, 'money-refused')
  expect((await app.service.get(`/api/v1/runs/${id}`)).data.status).toBe('draft')
})
