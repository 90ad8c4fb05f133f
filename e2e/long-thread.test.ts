// Facts about a task with very many comments: the newest are there at once, and earlier ones come above them without moving them.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const many = 320
const rows = (page: Page) => page.getByRole('list', { name: 'Comments' }).getByRole('listitem')
const row = (page: Page, at: number) => rows(page).filter({ hasText: `Remark ${at}.` })
const earlier = (page: Page, left: number) => page.getByRole('button', { name: `Earlier comments (${left})` })
const menuOf = (page: Page, at: number) => row(page, at).getByRole('button', { name: /^Menu of the comment of/ })
const topOf = async (page: Page, at: number) => Math.round((await row(page, at).boundingBox())?.y ?? Number.NaN)

/** Opens a task whose comments are “Remark 0.” to “Remark 319.”, all of the user. */
async function openMany(): Promise<Page> {
  const task = await app.make.task({ name: 'Much discussed' })
  const { id, ...comment } = await app.make.comment(task.id)
  const page = await app.open('/')
  await intercept(page, `**/tasks/${task.id}/comments*`, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const by = { ...comment.by, user_id: app.service.owner.id }
    const items = Array.from({ length: many }, (_, at) => ({
      ...comment,
      by,
      id: id.slice(0, -6) + String(at).padStart(6, '0'),
      text: `Remark ${at}.`,
    }))
    await route.fulfill({ response, json: { ...body, data: { ...body.data, items } } })
  })
  await page.goto(new URL(`/tasks/${task.id}#comments`, page.url()).href)
  await row(page, many - 1).waitFor()
  return page
}

test('the last fifty comments are drawn, and earlier ones are put above them without moving them or the focus', async () => {
  const page = await openMany()
  expect(await rows(page).count()).toBe(50)
  expect(await row(page, 270).count()).toBe(1)
  expect(await violations(page)).toEqual([])
  await earlier(page, 270).focus()
  const before = await topOf(page, 270)
  await page.keyboard.press('Enter')
  await expect.poll(() => rows(page).count()).toBe(250)
  expect(await topOf(page, 270)).toBe(before)
  await focused(page, earlier(page, 70))

  await earlier(page, 70).press('Enter')
  await expect.poll(() => rows(page).count()).toBe(many)
  await focused(page, row(page, 70))
  expect(await page.getByRole('button', { name: /^Earlier comments/ }).count()).toBe(0)
})

test('the menu of a comment is created when it is opened, and gives the focus back', async () => {
  const page = await openMany()
  const menu = menuOf(page, 300)
  for (let turn = 0; turn < 2; turn++) {
    await menu.press('Enter')
    const item = page.getByRole('menuitem', { name: 'Edit' })
    await item.waitFor()
    await expect.poll(() => page.locator('[role=menu]:focus-within').count()).toBe(1)
    await page.keyboard.press('Escape')
    await item.waitFor({ state: 'detached' })
    await focused(page, menu)
  }
})

test('an early comment whose changed text is not saved is drawn at once', async () => {
  const page = await openMany()
  await earlier(page, 270).press('Enter')
  await menuOf(page, 80).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
  const field = page.getByRole('textbox', { name: 'Change the comment' })
  await focused(page, field)
  await typeInto(field, 'Better said')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await field.waitFor()
  expect(await field.inputValue()).toBe('Better said')
  await expect.poll(() => rows(page).count()).toBe(many - 80)
})

test('nothing went wrong in the pages', () => {
  expect(app.problems).toEqual([])
})
