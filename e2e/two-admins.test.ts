// Facts about two admins at once on the pages of money, tokens and people: each page shows what the other admin saves, and no admin
// overwrites the other's changes without a warning.
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterEach(async () => {
  await app.service.rows('delete from budgets')
  await app.service.rows('delete from money_settings')
})
afterAll(() => app.close())

/** Opens a page, and waits until its event stream is connected, so that it misses no later change. */
async function watching(at: string): Promise<Page> {
  const page = await app.open(at)
  await page.locator('.frame[data-live="live"]').waitFor()
  return page
}

const threshold = (page: Page) => page.getByRole('textbox', { name: 'Starts need an approval above' })
const setThreshold = (above: number | null) => app.service.patch('/api/v1/money', { approval_above: above })
const thresholdNow = async () => (await app.service.get('/api/v1/money')).data.approval_above

test('a budget that another admin sets or ends shows while I look, with the sum for approvals', async () => {
  const page = await watching('/money')
  await page.getByText('Nothing stops what runs may cost.').waitFor()
  const { data: budget } = await app.service.post('/api/v1/budgets', { period: 'month', amount: 25_000_000 })
  await page.getByRole('cell', { name: 'USD 25.00' }).first().waitFor()
  await setThreshold(3_000_000)
  await expect.poll(() => threshold(page).inputValue()).toBe('3')
  await app.service.del(`/api/v1/budgets/${budget.id}`)
  await page.getByText('Starts that may cost more than USD 3.00 wait for an approval').waitFor()
})

test('a sum that is typed stays with its focus when another admin saves one, and replaces theirs only on a word of mine', async () => {
  const page = await watching('/money')
  await typeInto(threshold(page), '25')
  await setThreshold(3_000_000)
  const note = page.getByRole('alert').filter({ hasText: 'This was changed elsewhere while you were writing.' })
  await note.getByText('USD 3.00').waitFor()
  expect(await violations(page)).toEqual([])
  expect(await threshold(page).and(page.locator(':focus')).count()).toBe(1)
  await page.keyboard.press('Enter')
  expect(await threshold(page).inputValue()).toBe('25')
  expect(await thresholdNow()).toBe(3_000_000)
  await note.getByRole('button', { name: 'Use mine' }).click()
  await expect.poll(thresholdNow).toBe(25_000_000)
  await note.waitFor({ state: 'detached' })

  await typeInto(threshold(page), '40')
  await setThreshold(null)
  await note.getByText('None does').waitFor()
  await note.getByRole('button', { name: 'Take theirs' }).click()
  expect(await threshold(page).inputValue()).toBe('')
  expect(await threshold(page).and(page.locator(':focus')).count()).toBe(1)
})

test('a sum of which the page was not told yet is not replaced either', async () => {
  const page = await app.open('/login')
  await page.route('**/api/v1/events*', (route) => route.abort())
  await page.goto(`${app.url}/money`)
  await typeInto(threshold(page), '25')
  await setThreshold(3_000_000)
  await page.keyboard.press('Enter')
  await page.getByText('This was changed elsewhere while you were writing.').waitFor()
  expect(await thresholdNow()).toBe(3_000_000)
  await page.unroute('**/api/v1/events*')
})

test('a token that is made or revoked elsewhere shows while I look', async () => {
  const page = await watching('/tokens')
  const { data: token } = await app.service.post('/api/v1/tokens', { name: 'Made elsewhere', scopes: ['read'] })
  const row = page.getByRole('row', { name: /Made elsewhere/ })
  await row.getByRole('button', { name: 'Revoke' }).waitFor()
  await app.service.del(`/api/v1/tokens/${token.id}`)
  await row.getByText(/^revoked/).waitFor()
  expect(await row.getByRole('button', { name: 'Revoke' }).count()).toBe(0)
})

test('a name of a person that another admin saves meanwhile is not replaced without a word', async () => {
  const person = await app.service.person('writer')
  const path = `/api/v1/users/${person.id}`
  await app.service.patch(path, { name: 'Ada', email: 'ada@example.org' })
  const nameNow = async () =>
    (await app.make.read('/api/v1/users?limit=100')).items.find(({ id }: { id: string }) => id === person.id).name
  const page = await watching('/people')
  await page.getByRole('button', { name: 'Menu of Ada' }).click()
  await page.getByRole('menuitem', { name: 'Edit name and address' }).click()
  const dialog = page.getByRole('dialog')
  const [name, email] = [dialog.getByLabel('Name'), dialog.getByLabel('Email')]
  const save = dialog.getByRole('button', { name: 'Save' })
  await typeInto(name, 'Ada Byron')
  await app.service.patch(path, { name: 'Ada King', email: 'king@example.org' })
  const note = dialog.getByRole('alert')
  await note.getByText('Ada King').waitFor()
  // The address was not typed in, so the field shows the new one.
  await expect.poll(() => email.inputValue()).toBe('king@example.org')
  expect(await violations(page)).toEqual([])
  await save.click()
  expect(await nameNow()).toBe('Ada King')
  await note.getByRole('button', { name: 'Use mine' }).click()
  expect(await name.and(page.locator(':focus')).count()).toBe(1)

  // This change is reported to the page only after Save is pressed.
  let isHeld = true
  await intercept(page, '**/api/v1/users?*', (route) => (isHeld ? route.abort() : route.fallback()))
  await app.service.patch(path, { name: 'Ada Lovelace' })
  isHeld = false
  await save.click()
  await note.getByText('Ada Lovelace').waitFor()
  expect(await nameNow()).toBe('Ada Lovelace')
  await note.getByRole('button', { name: 'Use mine' }).click()
  await save.click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await nameNow()).toBe('Ada Byron')
})

test('what another admin saves in an automation meanwhile is shown, and replaced only on a word of mine', async () => {
  const { data: graph } = await app.service.post('/api/v1/graphs', { name: 'Of two admins' })
  const body = { name: 'Of two', on_status: 'done', graph_id: graph.id }
  const { data: automation } = await app.service.post('/api/v1/automations', body)
  const path = `/api/v1/automations/${automation.id}`
  const now = async () => (await app.make.read('/api/v1/automations')).items[0]
  const page = await watching('/automations')
  await page.getByRole('button', { name: 'Menu of Of two' }).click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit the automation' })
  const name = dialog.getByLabel('Name')
  const moves = dialog.getByRole('combobox', { name: 'and then move it to' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await typeInto(name, 'Mine')
  const priority = { combinator: 'and', rules: [{ field: 'priority', operator: '<=', value: 2 }] }
  await app.service.patch(path, { name: 'Of the other', to_status: 'archived', query: priority })
  const note = dialog.getByRole('alert')
  await note.getByText('Of the other').waitFor()
  // What was not changed here shows what is saved now.
  await expect.poll(() => moves.inputValue()).toBe('Archived')
  await dialog.getByRole('button', { name: 'Remove condition' }).waitFor()
  expect(await violations(page)).toEqual([])
  await save.click()
  expect(await now()).toMatchObject({ name: 'Of the other', to_status: 'archived' })
  await note.getByRole('button', { name: 'Use mine' }).click()
  await note.waitFor({ state: 'detached' })
  expect(await name.and(page.locator(':focus')).count()).toBe(1)

  await dialog.getByRole('button', { name: 'Remove condition' }).click()
  const either = { combinator: 'or', rules: [{ field: 'priority', operator: '<=', value: 4 }] }
  await app.service.patch(path, { query: either })
  await note.getByText('Priority is at most 4').waitFor()
  await note.getByRole('button', { name: 'Take theirs' }).click()
  await dialog.getByRole('button', { name: 'Remove condition' }).waitFor()

  // This change is reported to the page only after Save is pressed.
  let isHeld = true
  await intercept(page, '**/api/v1/automations', (route) => (isHeld ? route.abort() : route.fallback()))
  await app.service.patch(path, { name: 'By the other' })
  isHeld = false
  await save.click()
  await note.getByText('By the other').waitFor()
  expect(await now()).toMatchObject({ name: 'By the other' })
  await note.getByRole('button', { name: 'Use mine' }).click()
  await save.click()
  await dialog.waitFor({ state: 'detached' })
  expect(await now()).toMatchObject({ name: 'Mine', to_status: 'archived', query: either })
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
