// Facts about very many comments: of a task, the newest are there at once, with the field for another one, and earlier ones come above
// them without moving them; of a picture, the field stays in sight.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { violations } from './support/axe.ts'
import { typeInto } from './support/fields.ts'
import { intercept } from './support/intercept.ts'
import { focused } from './support/keyboard.ts'
import { viewer } from './support/viewer.ts'

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
async function openMany(options: BrowserContextOptions = {}): Promise<Page> {
  const task = await app.make.task({ name: 'Much discussed' })
  const { id, ...comment } = await app.make.comment(task.id)
  const page = await app.open('/', options)
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

/** What is used of an element of the page. */
type Measured = {
  getBoundingClientRect(): { top: number; bottom: number; left: number }
  contains(other: unknown): boolean
  ownerDocument: { elementFromPoint(x: number, y: number): unknown; documentElement: { clientHeight: number } }
}

/** Whether all of an element is inside of the window and under nothing else. */
const inSight = (place: Locator): Promise<boolean> =>
  place.evaluate((element: Measured) => {
    const { ownerDocument: page } = element
    const { top, bottom, left } = element.getBoundingClientRect()
    const isOnTop = (y: number) => element.contains(page.elementFromPoint(left + 12, y))
    return top >= 0 && bottom <= page.documentElement.clientHeight && isOnTop(top + 4) && isOnTop(bottom - 4)
  })

for (const viewport of [
  { width: 1366, height: 768 },
  { width: 390, height: 780 },
])
  test(`a thread opens at its end and stays there, with the field below it, in a window ${viewport.width} wide`, async () => {
    const page = await openMany({ viewport })
    const field = page.getByRole('textbox', { name: 'Write a comment' })
    await expect.poll(() => inSight(row(page, many - 1))).toBe(true)
    expect(await inSight(field)).toBe(true)
    await typeInto(field, 'One\nof\nmany\nlines')
    await expect.poll(() => inSight(row(page, many - 1))).toBe(true)
    // Who reads further up stays there, and the field stays too.
    await row(page, 280).scrollIntoViewIfNeeded()
    await expect.poll(() => inSight(row(page, many - 1))).toBe(false)
    expect(await inSight(field)).toBe(true)
    await field.fill('One line')
    expect(await inSight(row(page, 280))).toBe(true)
  })

test('beside a picture with many comments the field for another one is in sight, and the focus is never behind it', async () => {
  const { task, creatives } = await app.make.taskWith(['Discussed'], { name: 'Discussed' })
  const image = sharp({ create: { width: 400, height: 300, channels: 3, background: '#24508c' } })
  const file = await app.make.file(await image.png().toBuffer(), 'image/png')
  const [{ id } = { id: '' }] = creatives
  await app.service.patch(`/api/v1/creatives/${id}`, { file })
  for (let at = 0; at < 12; at++)
    await app.service.post(`/api/v1/creatives/${id}/review-comments`, { text: `Point ${at}.`, version: 1 })
  const open = async (viewport: { width: number; height: number }) => {
    const page = await app.open(`/tasks/${task.id}#creatives`, { viewport })
    await page
      .getByRole('list', { name: 'Creatives' })
      .getByRole('button', { name: /Discussed/ })
      .first()
      .click()
    await viewer(page).getByText('400 × 300', { exact: true }).or(viewer(page).locator('img')).first().waitFor()
    return page
  }
  const page = await open({ width: 1366, height: 768 })
  const field = viewer(page).getByRole('textbox', { name: 'Comment on version 1' })
  await viewer(page).getByText('Point 11.').waitFor()
  expect(await inSight(field)).toBe(true)
  for (const resolve of await viewer(page).getByRole('button', { name: 'Resolve' }).all()) {
    await resolve.focus()
    expect(await inSight(resolve)).toBe(true)
  }

  const phone = await open({ width: 390, height: 780 })
  await phone.keyboard.press('r')
  await viewer(phone).getByRole('button', { name: 'Write one' }).click()
  const onPhone = viewer(phone).getByRole('textbox', { name: 'Comment on version 1' })
  await focused(phone, onPhone)
  expect(await inSight(onPhone)).toBe(true)
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
