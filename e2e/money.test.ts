// Facts about money in the browser: if the price of a start is not known, the page asks for a limit; if the price is high, it asks
// for an approval; if a start is refused, it says why.
import { amountWords } from '@atelier/contract/money.ts'
import type { Locator } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { definitionOf } from '../server/test/support/definitions.ts'
import { makeRun, untilStatus } from '../server/test/support/runs.ts'
import { createProvider, testNodes } from '../server/test/support/test-nodes.ts'
import { firstDay } from '../web/src/lib/spend-periods.ts'
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

test('the dialogs of costs have the focus where one goes on, and give it back to the button that was pressed', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 10_000_000 })
  await app.service.patch('/api/v1/money', { approval_above: 10_000 })
  const definition = asking('a carafe', { most: -1 })
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Carafes', definition })
  const page = await app.open(`/graphs/${graph.id}`)
  const hasFocus = (it: Locator) => expect.poll(() => it.and(page.locator(':focus')).count()).toBe(1)
  const runHere = page.getByRole('button', { name: 'Run here' })
  const amount = page.getByRole('textbox', { name: 'At most, in USD' })
  await runHere.press('Enter')
  await hasFocus(amount)
  await page.keyboard.press('Escape')
  await amount.waitFor({ state: 'detached' })
  await hasFocus(runHere)
  // Until what was asked for is over, the button takes no other press.
  await expect.poll(() => runHere.getAttribute('aria-busy')).toBe('false')
  await page.keyboard.press('Enter')
  await hasFocus(amount)
  await page.keyboard.type('3')
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('button', { name: 'Ask for the approval' }))
  await page.keyboard.press('Enter')
  await page.getByText('The admins get to know it, and you what they decide.').waitFor()
  await hasFocus(runHere)
  await app.service.rows('delete from approvals')
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
  await page.getByText('The admins get to know it, and you what they decide.').waitFor()
  await page.getByText('A start of up to USD 0.04 waits for an approval.').waitFor()
  expect(await page.getByText('Not started').count()).toBe(0)
  await keepShot(page, 'money-asked')

  const admin = await app.open('/money')
  const approve = admin.getByRole('button', { name: /^Approve/ })
  await approve.waitFor()
  expect(await violations(admin)).toEqual([])
  await keepShot(admin, 'money-page')
  await admin.getByRole('link', { name: 'Flasks' }).waitFor()
  await approve.click()
  await approve.waitFor({ state: 'hidden' })
  const start = page.getByRole('button', { name: 'Start as approved' })
  await start.waitFor()
  expect(await violations(page)).toEqual([])
  await keepShot(page, 'money-approved')
  await start.click()
  expect((await untilStatus(app.service, run.data.id, 'succeeded', 'failed')).status).toBe('succeeded')
})

test('a start that waits for an approval is said on the run until the run is started otherwise, and is then off the list', async () => {
  await app.service.patch('/api/v1/money', { approval_above: 10_000 })
  const { id } = await makeRun(app.service, asking('four flasks'))
  await app.service.post(`/api/v1/runs/${id}/approvals`)
  const page = await app.open(`/runs/${id}`)
  const waits = page.getByText('A start of up to USD 0.04 waits for an approval.')
  await waits.waitFor()
  await app.service.patch('/api/v1/money', { approval_above: null })
  await pressStart(page)
  await untilStatus(app.service, id, 'succeeded')
  await page.getByRole('button', { name: 'Run again', exact: true }).waitFor()
  await waits.waitFor({ state: 'hidden' })
  await page.goto(`${app.url}/money`)
  await page.getByRole('textbox', { name: 'Starts need an approval above' }).waitFor()
  expect(await page.getByRole('table', { name: 'Approvals' }).count()).toBe(0)
})

test('a start that waits for an approval leaves the list while an admin looks, once its run is edited or deleted', async () => {
  await app.service.patch('/api/v1/money', { approval_above: 10_000 })
  const asked = async (what: string) => {
    const { id } = await makeRun(app.service, asking(what))
    await app.service.post(`/api/v1/runs/${id}/approvals`)
    return id
  }
  const [edited, deleted, stays] = [await asked('five flasks'), await asked('six flasks'), await asked('seven flasks')]
  const page = await app.open('/money')
  const rowOf = (id: string) => page.getByRole('row').filter({ has: page.locator(`a[href$="/runs/${id}"]`) })
  for (const id of [edited, deleted, stays]) await rowOf(id).waitFor()
  await app.service.patch(`/api/v1/runs/${edited}`, { definition: asking('eight flasks') })
  await rowOf(edited).waitFor({ state: 'detached' })
  await app.service.del(`/api/v1/runs/${deleted}`)
  await rowOf(deleted).waitFor({ state: 'detached' })
  expect(await rowOf(stays).count()).toBe(1)
  await app.service.del(`/api/v1/runs/${stays}`)
  await app.service.patch('/api/v1/money', { approval_above: null })
})

test('without budgets the page says what stops costs: nothing, or an approval above a sum', async () => {
  const page = await app.open('/money')
  await page.getByText('Nothing stops what runs may cost.').waitFor()
  await page.getByRole('textbox', { name: 'Starts need an approval above' }).fill('5')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Starts that may cost more than USD 5\.00 wait for an approval/).waitFor()
  expect(await page.getByText('Nothing stops what runs may cost.').count()).toBe(0)
})

test('a budget is set in the currency that its label names, and ended by the second press of a button', async () => {
  const page = await app.open('/money')
  await page.getByRole('textbox', { name: 'Starts need an approval above, in USD' }).waitFor()
  await page.getByRole('textbox', { name: 'Amount, in USD' }).fill('25')
  await page.getByRole('button', { name: 'Set budget' }).click()
  const end = page.getByRole('button', { name: 'End the budget of Everybody: Each month' })
  await end.click()
  const really = page.getByRole('button', { name: 'Really end' })
  await really.waitFor()
  expect((await app.service.get('/api/v1/money')).data.budgets).toMatchObject([{ amount: 25_000_000 }])
  await page.keyboard.press('Tab')
  await end.click()
  await really.click()
  await page.getByText('Nothing stops what runs may cost.').waitFor()
  expect((await app.service.get('/api/v1/money')).data.budgets).toEqual([])
})

test('an amount is taken as it is typed: with separators it is said how it is read, and what is none is refused in words', async () => {
  const page = await app.open('/money')
  const amount = page.getByRole('textbox', { name: 'Amount, in USD' })
  const above = page.getByRole('textbox', { name: 'Starts need an approval above, in USD' })
  const set = page.getByRole('button', { name: 'Set budget' })
  await amount.pressSequentially('-5')
  await page.getByText('An amount is 0 or more.').waitFor()
  expect([await amount.inputValue(), await set.isDisabled()]).toEqual(['-5', true])
  await above.pressSequentially('1e3')
  await above.press('Enter')
  await page.getByText('Write an amount such as 1000 or 12.50.').waitFor()
  await above.fill('')
  await amount.fill('')
  const place = await amount.boundingBox()
  await amount.pressSequentially('1,250.5')
  await page.getByText('That is USD 1250.50.').waitFor()
  // The field does not move while one types, and stands in one row with the others.
  expect(await amount.boundingBox()).toEqual(place)
  expect((await page.getByRole('combobox', { name: 'For' }).boundingBox())?.y).toBe(place?.y)
  await amount.press('Enter')
  const budgets = async () => (await app.service.get('/api/v1/money')).data
  await expect.poll(async () => (await budgets()).budgets).toMatchObject([{ amount: 1_250_500_000 }])
  expect((await budgets()).approval_above).toBe(null)
})

test('what was spent is asked for the last twelve months, or for the period that somebody chooses', async () => {
  const asked: (string | null)[] = []
  const page = await app.open('/')
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/spend')) asked.push(url.searchParams.get('from'))
  })
  await page.goto(new URL('/money', page.url()).href)
  const now = Date.now()
  await page.getByText(`Calls of models from ${firstDay('year', now)} on, in UTC.`).waitFor()
  const period = page.getByRole('combobox', { name: 'Period' })
  await period.click()
  await page.getByRole('option', { name: 'This month' }).click()
  await page.getByText(`Calls of models from ${firstDay('month', now)} on, in UTC.`).waitFor()
  await period.click()
  await page.getByRole('option', { name: 'All time' }).click()
  await expect.poll(() => [...new Set(asked)]).toEqual([firstDay('year', now), firstDay('month', now), null])
})

test('what runs cost meanwhile shows on an open page, by runs that it leads to', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 50_000_000 })
  const page = await app.open('/money')
  await page.getByRole('combobox', { name: 'By', exact: true }).click()
  await page.getByRole('option', { name: 'Run', exact: true }).click()
  const spent = page.getByRole('table', { name: 'Spent' })
  const { id } = await makeRun(app.service, asking('a jug'))
  await app.service.post(`/api/v1/runs/${id}/start`, {})
  await untilStatus(app.service, id, 'succeeded')
  const row = spent.getByRole('row').filter({ hasText: id.slice(-8) })
  await row.getByText('USD 0.04', { exact: true }).first().waitFor()
  const budget = page.getByRole('table', { name: 'Budgets' }).getByRole('row').nth(1)
  const { budgets } = (await app.service.get('/api/v1/money')).data
  await budget.getByText(amountWords(budgets[0].spent, 'USD'), { exact: true }).waitFor()
  await row.getByRole('link').click()
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/runs/${id}`)
})

test('a budget can be set for an integration, and is shown under its name', async () => {
  const { data: token } = await app.service.post('/api/v1/tokens', { name: 'Nightly sync', scopes: ['read'] })
  const page = await app.open('/money')
  await page.getByRole('combobox', { name: 'Budget of' }).click()
  await page.getByRole('option', { name: 'Nightly sync' }).click()
  await page.getByRole('textbox', { name: 'Amount, in USD' }).fill('3')
  await page.getByRole('button', { name: 'Set budget' }).click()
  await page.getByRole('table', { name: 'Budgets' }).getByRole('cell', { name: 'Nightly sync', exact: true }).waitFor()
  expect((await app.service.get('/api/v1/money')).data.budgets).toMatchObject([{ person_id: token.id }])
})

test('what a budget has no room for is refused in words', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 20_000 })
  const { id } = await makeRun(app.service, asking('three flasks'))
  const page = await app.open(`/runs/${id}`)
  await pressStart(page)
  await page.getByText(/^The budget of the workspace for 20\d\d-\d\d has .*this may cost USD 0\.04/).waitFor()
  await keepShot(page, 'money-refused')
  expect((await app.service.get(`/api/v1/runs/${id}`)).data.status).toBe('draft')
})

test('a graph whose start in the editor is refused leaves one draft behind, however often it is tried', async () => {
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 20_000 })
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Cups', definition: asking('a cup') })
  const page = await app.open(`/graphs/${graph.id}`)
  const runHere = page.getByRole('button', { name: 'Run here' })
  let refused = 0
  page.on('response', (response) => {
    if (response.url().endsWith('/start') && !response.ok()) refused += 1
  })
  for (const times of [1, 2]) {
    await runHere.click()
    await expect.poll(() => refused).toBe(times)
  }
  await page.getByRole('region', { name: 'Run here' }).getByText('Draft').waitFor()
  const { items } = await app.make.read(`/api/v1/runs?graph_id=${graph.id}`)
  expect(items).toMatchObject([{ status: 'draft' }])
  await app.service.rows('delete from budgets')
  await runHere.click()
  await untilStatus(app.service, items[0].id, 'succeeded')
})

test('a start from a task asks for what it needs: an approval leaves the run as a draft, a limit starts it', async () => {
  await app.service.patch('/api/v1/money', { approval_above: 10_000 })
  await app.service.post('/api/v1/graphs', { name: 'Kettles', definition: asking('a kettle', { most: -1 }) })
  const task = (await app.service.post('/api/v1/tasks', { name: 'Kettle week' })).data
  const startOf = async (limit: string) => {
    const page = await app.open(`/tasks/${task.id}`)
    await page.getByRole('tab', { name: /^Runs/ }).click()
    const again = page.getByRole('button', { name: 'Start a run' })
    const picker = page.getByRole('combobox', { name: 'Graph' })
    await again.or(picker).first().waitFor()
    if (await again.isVisible()) await again.click()
    await picker.fill('Kettles')
    await page.getByRole('option', { name: /^Kettles/ }).click()
    await page.getByRole('button', { name: 'Start the run' }).click()
    const amount = page.getByRole('textbox', { name: 'At most, in USD' })
    await amount.fill(limit)
    await page.getByRole('button', { name: 'Start with this limit' }).click()
    return page
  }
  const asked = await startOf('3')
  const ask = asked.getByRole('button', { name: 'Ask for the approval' })
  await ask.click()
  await asked.getByText('A start of up to USD 3.00 waits for an approval.').waitFor()
  await app.service.patch('/api/v1/money', { approval_above: null })
  await app.service.post('/api/v1/budgets', { period: 'month', amount: 10_000_000 })
  const started = await startOf('2')
  await started.waitForURL(/\/runs\//)
  const runs = (await app.service.get(`/api/v1/runs?task_id=${task.id}`)).data.items
  const [second, first] = runs
  expect((await untilStatus(app.service, second.id, 'succeeded', 'failed')).status).toBe('succeeded')
  expect(first.status).toBe('draft')
  expect(runs).toHaveLength(2)
})
