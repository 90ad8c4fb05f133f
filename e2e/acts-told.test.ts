// Facts about acts whose result is only visible, such as sending a comment: screen readers announce it, and the keyboard can do them.
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { typeInto } from './support/fields.ts'
import { focused, tabTo } from './support/keyboard.ts'
import { shows, viewer } from './support/viewer.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Waits until a polite live region has these words: screen readers speak them when they have finished what they are speaking. */
const told = (page: Page, words: string | RegExp) =>
  page.locator('[role=status], [aria-live=polite]').getByText(words, { exact: true }).waitFor({ state: 'attached' })
/** Waits for a toast, which is an alert: screen readers speak it at once. */
const message = (page: Page, words: string) => page.getByRole('alert').getByText(words, { exact: true }).waitFor()

test('that a comment on a task was sent is told, also the second time', async () => {
  const task = await app.make.task({ name: 'Talked about' })
  const page = await app.open(`/tasks/${task.id}#comments`)
  const field = page.getByRole('textbox', { name: 'Write a comment' })
  const words = page.getByRole('status').getByText('Comment sent', { exact: true })
  await typeInto(field, 'Warmer')
  await page.keyboard.press('Control+Enter')
  await words.waitFor({ state: 'attached' })
  // Words are spoken again only where another element has them.
  const first = await words.elementHandle()
  await typeInto(field, 'Still warmer')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('listitem').getByText('Still warmer', { exact: true }).waitFor()
  await expect.poll(() => first?.evaluate(({ isConnected }: { isConnected: boolean }) => isConnected)).toBe(false)
  await words.waitFor({ state: 'attached' })
})

test('in the viewer it is told that a comment and an answer were sent, and where the first corner of a box is', async () => {
  const { task, creatives } = await app.make.taskWith(['Spoken of'], { name: 'Spoken of' })
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  for (const { id } of creatives) await app.service.patch(`/api/v1/creatives/${id}`, { file })
  const page = await app.open(`/tasks/${task.id}#creatives`)
  await page
    .getByRole('list', { name: 'Creatives' })
    .getByRole('button', { name: /Spoken of/ })
    .first()
    .click()
  await shows(page, 'Spoken of', '400 × 300')
  const field = viewer(page).getByRole('textbox', { name: 'Comment on version 1' })
  await viewer(page).getByRole('button', { name: 'Box' }).press('Enter')
  await focused(page, page.getByRole('application', { name: 'Place of the box' }))
  for (const key of ['Shift+ArrowLeft', 'Enter']) await page.keyboard.press(key)
  await told(page, 'The first corner is set: 40 % across, 50 % down.')
  for (const key of ['Shift+ArrowRight', 'Shift+ArrowDown', 'Enter']) await page.keyboard.press(key)
  await focused(page, field)
  await typeInto(field, 'Warmer here')
  await page.keyboard.press('Control+Enter')
  await told(page, 'Comment sent')
  await typeInto(viewer(page).getByRole('textbox', { name: 'Answer comment 1' }), 'How warm?')
  await page.keyboard.press('Enter')
  await told(page, 'Answer sent')
  const { items } = await app.make.read(`/api/v1/creatives/${creatives[0]?.id}/review-comments`)
  expect(items.map(({ text }: { text: string }) => text)).toEqual(['Warmer here', 'How warm?'])
})

test('a budget is set and ended by keys, both are told, and the focus then is at the next budget or the page', async () => {
  for (const period of ['month', 'always']) await app.service.post('/api/v1/budgets', { period, amount: 10_000_000 })
  const page = await app.open('/money')
  await page.getByRole('textbox', { name: 'Amount, in USD' }).focus()
  await page.keyboard.type('25')
  await page.keyboard.press('Enter')
  await message(page, 'Budget set: USD 25.00')
  const endOf = (period: string) => page.getByRole('button', { name: `End the budget of Everybody: ${period}` })
  const periods = async () =>
    (await app.make.read('/api/v1/money')).budgets.map(({ period }: { period: string }) => period)
  await endOf('Each month').focus()
  await page.keyboard.press('Enter')
  await tabTo(page, 'End the budget of Everybody: All time', (await periods())[0] === 'month' ? 'Tab' : 'Shift+Tab')
  expect(await periods()).toHaveLength(2)
  await endOf('Each month').focus()
  for (let press = 0; press < 2; press++) await page.keyboard.press('Enter')
  await message(page, 'Ended: the budget of Everybody, each month')
  await focused(page, endOf('All time'))
  for (let press = 0; press < 2; press++) await page.keyboard.press('Enter')
  await message(page, 'Ended: the budget of Everybody, all time')
  await focused(page, page.locator('main'))
  expect(await periods()).toEqual([])
})

test('that somebody has another role or no access is told, and so is that a token or a link of guests was revoked', async () => {
  await app.service.post('/api/v1/users', { name: 'Ilse', role: 'reader' })
  await app.service.post('/api/v1/tokens', { name: 'Feeder', scopes: ['read'] })
  const task = await app.make.task({ name: 'Shown to guests' })
  await app.service.post(`/api/v1/tasks/${task.id}/guest-links`, { name: 'The client' })
  const page = await app.open('/people')
  await page.getByRole('combobox', { name: 'Role of Ilse' }).focus()
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key)
  await message(page, 'Ilse is now writer')
  await page.getByRole('switch', { name: 'Ilse has access' }).press('Space')
  await message(page, 'Ilse has no access any more')

  await page.goto(`${app.url}/tokens`)
  await page.getByRole('button', { name: 'Revoke Feeder' }).focus()
  for (let press = 0; press < 2; press++) await page.keyboard.press('Enter')
  await message(page, 'Revoked “Feeder”')
  await page.goto(`${app.url}/tasks/${task.id}#creatives`)
  await page.getByRole('button', { name: 'Revoke the link for The client' }).focus()
  for (let press = 0; press < 2; press++) await page.keyboard.press('Enter')
  await message(page, 'Revoked the link for The client')
  await focused(page, page.getByRole('button', { name: 'Share with guests' }))
  const [link] = (await app.make.read(`/api/v1/tasks/${task.id}/guest-links`)).items
  expect(link.revoked_at).not.toBe(null)
})

test('automations are written, changed and deleted by keys, and the focus is never lost', async () => {
  await app.service.post('/api/v1/graphs', { name: 'Pillows' })
  const page = await app.open('/automations')
  const row = (name: string) =>
    page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })
  const create = page.getByRole('button', { name: 'New automation' })
  for (const name of ['First', 'Second']) {
    await create.press('Enter')
    await focused(page, page.getByRole('dialog').getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type(name)
    await page.getByRole('dialog').getByRole('combobox', { name: 'run the graph' }).focus()
    await page.keyboard.type('Pillows')
    await page.getByRole('option', { name: 'Pillows' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByPlaceholder('This graph makes no files').waitFor()
    await page.keyboard.press('Enter')
    await row(name).waitFor()
  }
  const menu = (name: string) => page.getByRole('button', { name: `Menu of ${name}` })
  await menu('First').press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const field = page.getByRole('dialog').getByRole('textbox', { name: 'Name' })
  await focused(page, field)
  await field.fill('Third')
  await page.keyboard.press('Enter')
  await focused(page, menu('Third'))
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await row('Third').waitFor({ state: 'detached' })
  await focused(page, page.getByRole('switch', { name: 'Second is on' }))
  await menu('Second').press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  await page.getByText('Nothing happens by itself yet').waitFor()
  await focused(page, page.locator('main'))
  expect((await app.make.read('/api/v1/automations')).items).toEqual([])
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
